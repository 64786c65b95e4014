"""Changes to the bytes of a results file, more often to the structures of HDF5 than to the numbers."""
import re
import struct

import numpy as np

SIGNATURES = rb"HEAP|GCOL|TREE|SNOD|FRHP|FHDB|FHIB|FSHD|FSSE|BTHD|BTIN|BTLF|OHDR|OCHK|FADB|FAHD|EAHD|EAIB|EADB|SMTB"
HUGE = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1]


class Impossible(Exception):
    """This mutation does not apply to this file."""


def place(data, chance):
    """An offset, more often near the metadata than in the numbers."""
    kind = chance.random()
    if kind < 0.15:
        return chance.randrange(min(len(data), 256))
    if kind < 0.75:
        found = signatures(data)
        if found:
            return min(chance.choice(found) + chance.randrange(600), len(data) - 1)
    return chance.randrange(len(data))


def signatures(data):
    return [match.start() for match in re.finditer(SIGNATURES, data)]


def flip_bits(data, chance):
    offsets = [place(data, chance) for _ in range(chance.choice([1, 1, 2, 8, 64]))]
    for offset in offsets:
        data[offset] ^= 1 << chance.randrange(8)
    return f"bits flipped at {offsets[:4]}"


def set_bytes(data, chance):
    offset, size = place(data, chance), chance.choice([1, 2, 4, 8, 32, 512])
    size = min(size, len(data) - offset)
    data[offset:offset + size] = chance.choice([chance.randbytes(size), b"\xff" * size, b"\0" * size])
    return f"{size} bytes set at {offset}"


def zero_run(data, chance):
    offset, size = place(data, chance), chance.choice([8, 64, 512, 4096, 65536])
    size = min(size, len(data) - offset)
    data[offset:offset + size] = bytes(size)
    return f"{size} zeros at {offset}"


def damage_structure(data, chance):
    """Inside something that carries a signature: a heap, a node of a B-tree, a header of an object."""
    found = signatures(data)
    if not found:
        raise Impossible
    start = chance.choice(found)
    kind = bytes(data[start:start + 4]).decode()
    begin = start + chance.choice([0, 4, 4, 8, 8, 16, 24, 32])
    size = max(0, min(chance.choice([1, 4, 8, 16, 88, 504, 4072]), len(data) - begin))
    if chance.random() < 0.5:
        data[begin:begin + size] = bytes(size)
        return f"{size} zeros in {kind} at {start}"
    data[begin:begin + size] = chance.randbytes(size)
    return f"{size} random bytes in {kind} at {start}"


def zero_all_of_a_kind(data, chance):
    """All heaps, or all nodes of one kind, lose what is behind their signature."""
    found = signatures(data)
    if not found:
        raise Impossible
    kind = bytes(data[chance.choice(found):][:4])
    size = chance.choice([4, 28, 84, 500])
    for start in found:
        if bytes(data[start:start + 4]) == kind:
            data[start + 4:start + 4 + size] = bytes(len(data[start + 4:start + 4 + size]))
    return f"{size} zeros behind each {kind.decode()}"


def small_numbers(data):
    """Offsets of aligned 8-byte numbers that may be addresses or sizes in the file."""
    values = np.frombuffer(bytes(data[:len(data) & ~7]), "<u8")
    return np.flatnonzero((values > 0) & (values < len(data))) * 8


def huge_number(data, chance):
    found = small_numbers(data)
    if len(found) == 0:
        raise Impossible
    offset, value = int(found[chance.randrange(len(found))]), chance.choice(HUGE)
    if chance.random() < 0.3:
        data[offset:offset + 4] = struct.pack("<I", value & 0xFFFFFFFF)
    else:
        data[offset:offset + 8] = struct.pack("<Q", value)
    return f"{value} at {offset}"


def other_address(data, chance):
    """A pointer points elsewhere in the file: to another structure, to itself, behind the end."""
    found = small_numbers(data)
    if len(found) == 0:
        raise Impossible
    offset = int(found[chance.randrange(len(found))])
    targets = [offset, 0, len(data), *signatures(data)]
    target = chance.choice([chance.choice(targets), int(found[chance.randrange(len(found))]),
                            struct.unpack_from("<Q", data, int(found[chance.randrange(len(found))]))[0]])
    data[offset:offset + 8] = struct.pack("<Q", target)
    return f"address {target} at {offset}"


def truncate(data, chance):
    size = chance.choice([chance.randrange(len(data)), chance.randrange(min(len(data), 3000)), len(data) - 1,
                          len(data) * 7 // 10, len(data) // 512 // 2 * 512, 0, 8])
    del data[size:]
    return f"cut off at {size}"


def extend(data, chance):
    size = chance.choice([1, 512, 100_000])
    data += chance.choice([bytes(size), chance.randbytes(size)])
    return f"{size} bytes more"


def duplicate_block(data, chance):
    size = chance.choice([8, 64, 512, 4096])
    source, target = place(data, chance), place(data, chance)
    block = data[source:source + size]
    if chance.random() < 0.3:
        data[target:target] = block
        return f"{size} bytes of {source} put in at {target}"
    data[target:target + len(block)] = block
    return f"{size} bytes of {source} put over {target}"


def swap_blocks(data, chance):
    size = chance.choice([8, 64, 512, 4096])
    size = min(size, len(data) // 4)
    a, b = (chance.randrange(len(data) - size) for _ in range(2))
    data[a:a + size], data[b:b + size] = data[b:b + size], data[a:a + size]
    return f"{size} bytes of {a} and {b} swapped"


def user_block(data, chance):
    size = chance.choice([512, 1024, 4096, 100])
    data[0:0] = chance.randbytes(size)
    return f"user block of {size} bytes"


BYTES = [flip_bits, flip_bits, set_bytes, zero_run, damage_structure, damage_structure, damage_structure,
         zero_all_of_a_kind, huge_number, huge_number, other_address, other_address, other_address, truncate, extend,
         duplicate_block, swap_blocks, user_block]


def change_bytes(path, chance):
    data = bytearray(path.read_bytes())
    done = "nothing"
    for _ in range(10):
        if not data:
            break
        try:
            done = chance.choice(BYTES)(data, chance)
            break
        except (Impossible, ValueError, struct.error):
            continue
    path.write_bytes(data)
    return done
