"""play.py SHOAL-APP SHOAL FOLDER: each key and button does what it should, and the session is repeated to the last bit."""

import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

import display as screen
import drop

WIDTH, HEIGHT = 800, 600
MIDDLE = (400, 300)
FEW, MANY = 200, 3000  # pixels of 480 000
MESSAGE = (12, 12, 400, 30)  # left, top, right and bottom of its first line
BAR = 704  # column within the bar of colours
PANEL = 430  # column at which it begins
REMOVE_ALL = (470, 102)  # of the list of sources
QUANTITIES, DEPTH, LOG_SCALE = (600, 184), (443, 207), (467, 253)  # the header of a list, and its boxes once it is open
TRANSPARENT = (557, 60)
SLIDER_START, SLIDER_END = (432, 148), (610, 148)  # of the time of a recorded run


def inputs(text):
    found = re.search(r'^inputs = (""".*?"""|\'\'\'.*?\'\'\'|".*?"|\'.*?\')$', text, re.S | re.M)
    return found.group(1).replace("\\n", "\n") if found else ""


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def play(app, folder, display):
    (folder / "wedge.obj").write_text("v 0 0 0\nv 0.9 0 0\nv 0 0.6 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    player = screen.Player(display, [app, "sphere-bump", "--mesh", "icosphere:3", "--size", f"{WIDTH}x{HEIGHT}", "--body", "wedge.obj",
                                     "--record", "session.toml"], folder)
    try:
        player.key("F1", "F3")
        player.move(*MIDDLE)

        def differs(from_picture, more_than):
            return screen.becomes(display, lambda now: screen.different_pixels(from_picture, now) > more_than)

        expect(differs(display.picture(), 0), "the water does not move")
        player.key("p")
        paused = screen.comes_to_rest(display)
        expect(paused is not None, "the water moves in a pause")
        player.key("o")
        expect(differs(paused, 0), "a single step changes nothing")

        expect(screen.comes_to_rest(display) is not None, "a single step goes on")
        display.tool("click", 4)  # a view that the user has chosen stays where the panels come and go
        before = screen.comes_to_rest(display)
        player.key("F3")
        expect(differs(before, MANY), "F3 shows no panels")
        player.key("F3")
        expect(screen.becomes(display, lambda now: screen.different_pixels(before, now) < FEW), "F3 does not hide the panels")
        player.key("F5")
        expect(differs(before, FEW), "F5 changes no shadow")
        player.key("F5")

        navigate(player, display)

        before = screen.comes_to_rest(display)
        player.key("space")
        expect(differs(before, FEW), "no ball is to be seen")
        player.key("p", "f")
        player.display.tool("click", "4")
        player.key("space", "m", "f")
        player.display.tool("keydown", "ctrl")
        player.display.tool("click", "5")
        player.display.tool("click", "5")
        player.display.tool("keyup", "ctrl")
        player.key("space")
        player.move(430, 330)
        player.key("n")
        player.drag(2, 380, 280, 400, 300)
        player.display.tool("keydown", "ctrl")
        player.drag(3, *MIDDLE, 440, 290)
        player.display.tool("keyup", "ctrl")
        player.key("F6", "F7")
        player.key("F12")
        picture = folder / "results/window/picture-000.png"
        expect(screen.becomes(display, lambda _: picture.exists()), "F12 writes no picture")
        player.key("F11")
        time.sleep(1)
        player.key("F11")
        video = folder / "results/window/video-000.mp4"
        expect(screen.becomes(display, lambda _: video.exists()), "F11 writes no video")
        check_video(video)
    finally:
        if player.process.poll() is None:
            try:
                status, output = player.end()
            except Exception:
                player.process.kill()
                raise
        else:
            status, output = player.process.returncode, player.process.stdout.read()
    expect(status == 0, f"it ended with {status}: {output}")


def navigate(player, display):
    """The mouse turns, zooms and pans; after f it looks about, and keys fly. Nothing of it acts on the water, which is in a pause."""

    def moves_the_camera(what, *do):
        before = screen.comes_to_rest(display)
        expect(before is not None, f"the picture does not rest before {what}")
        for tool in do:
            tool()
        expect(screen.becomes(display, lambda now: screen.different_pixels(before, now) > MANY), f"no {what}")
        return before

    def tool(*arguments):
        return lambda: display.tool(*arguments)

    player.key("c")  # for the picture without panels
    player.move(*MIDDLE)
    start = moves_the_camera("orbit by a drag with the left button", lambda: player.drag(1, 300, 300, 420, 270, parts=3))
    moves_the_camera("zoom by the wheel", tool("click", 4), tool("click", 4))
    moves_the_camera("pan by a drag with the right button", lambda: player.drag(3, 400, 300, 460, 330, parts=3))
    moves_the_camera("centre by a double click", tool("mousemove", 340, 380), tool("click", "--repeat", 2, "--delay", 60, 1))
    player.key("f")
    moves_the_camera("flight by d", tool("keydown", "d"), lambda: time.sleep(0.3), tool("keyup", "d"))
    moves_the_camera("look about by the left button", lambda: player.drag(1, 700, 500, 650, 480, parts=3))
    player.key("f")
    moves_the_camera("zoom to fit", lambda: player.key("c"))
    player.move(*MIDDLE)
    expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) < FEW), "c does not lead back to the first view")


def check_video(path):
    probe = subprocess.run(["ffprobe", "-loglevel", "error", "-show_entries", "stream=width,height,duration", "-of", "csv=p=0",
                            path], check=True, capture_output=True, text=True).stdout.strip()
    width, height, duration = probe.split(",")
    expect((int(width), int(height)) == (WIDTH, HEIGHT), f"the video is of {width} x {height} pixels")
    expect(float(duration) > 0.5, f"the video lasts {duration} s")


def play_results(app, shoal, folder, display):
    """
    A recorded run in the colours of its elevation: it plays again and again, step by step, and goes to where its slider is pulled.
    Its three snapshots stay for seconds, so that a slow machine sees each of them.
    """
    subprocess.run([shoal, "run", "sphere-bump", "--mesh", "icosphere:3", "--dt", "1/60", "--end", "8", "--snapshots", "every:4",
                    "--inputs", "0.1 throw at=0,0,1.8 velocity=0,0,-3", "--output", "recorded.h5", "--quiet"], cwd=folder, check=True)
    player = screen.Player(display, [app, "recorded.h5", "--paused", "--no-panels", "--size", f"{WIDTH}x{HEIGHT}"], folder)
    try:
        player.move(*MIDDLE)
        start = screen.comes_to_rest(display)
        expect(start is not None, "a recorded run does not begin with a pause")
        high, low = (start[3 * (row * WIDTH + BAR):][:3] for row in (130, 470))
        expect(high[0] > 2 * high[2] and low[2] > 2 * low[0], f"there is no bar of colours from red to blue: {high}, {low}")
        player.key("o")
        expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) > FEW), "o shows no other snapshot")
        player.key("p")
        expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) > MANY), "it does not play")
        expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) < FEW, timeout=30),
               "it does not begin again after its end")
        expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) > MANY), "it does not play again")
        player.key("p")
        expect(screen.comes_to_rest(display) is not None, "it plays in a pause")
        player.key("F3")
        player.drag(1, *SLIDER_END, *SLIDER_START)
        player.move(*MIDDLE)
        player.key("F3")
        expect(screen.becomes(display, lambda now: screen.different_pixels(start, now) < FEW),
               "the slider does not lead back to the beginning")
    finally:
        status, output = player.end()
    expect(status == 0, f"it ended with {status}: {output}")


def different_beside_panel(one, other):
    """Pixels of the picture, without the panel at its right."""
    one, other = (screen.colors(picture).reshape(HEIGHT, WIDTH, 3)[:, :PANEL] for picture in (one, other))
    return np.count_nonzero(np.any(one != other, axis=2))


def rests_beside_panel(display):
    """The whole picture once all but the panel, whose plots go on, stays the same for a moment; None where it does not within 10 s."""
    before = display.picture()
    for _ in range(25):
        time.sleep(0.35)
        now = display.picture()
        if different_beside_panel(before, now) == 0:
            return now
        before = now
    return None


def play_sources(app, shoal, folder, display):
    """Sources and sinks have markers; they and bodies are gone from picture and water when they are removed, again to the last bit."""
    player = screen.Player(display, [app, "rest", "--mesh", "icosphere:3", "--paused", "--size", f"{WIDTH}x{HEIGHT}", "--record", "sources.toml"],
                           folder)

    def remove_all():
        player.move(*REMOVE_ALL)
        player.display.tool("click", "1")
        player.move(PANEL // 2, HEIGHT // 2)

    try:
        player.move(PANEL // 2, HEIGHT // 2)
        display.tool("click", 4)  # the view stays where the hints go
        player.key("F1")
        before = rests_beside_panel(display)
        expect(before is not None, "water at rest moves in a pause")
        player.key("m")
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) > FEW), "a source is not to be seen")
        with_source = rests_beside_panel(display)
        player.move(PANEL // 2 + 60, HEIGHT // 2 + 30)
        player.key("n")
        expect(screen.becomes(display, lambda now: different_beside_panel(with_source, now) > FEW), "a sink is not to be seen")
        remove_all()
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) == 0), "sources are still there when they are removed")
        player.key("space")
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) > FEW), "a thrown body is not to be seen")
        remove_all()
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) == 0), "a body is still there when it is removed")
        player.key("m", "o", "o", "o")
        remove_all()
        player.key("o", "o")
        before = rests_beside_panel(display)
        player.display.tool("keydown", "v")
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) > FEW), "no marker shows where the held key pours")
        player.key("o", "o", "o")
        held = rests_beside_panel(display)
        player.display.tool("keyup", "v")
        expect(screen.becomes(display, lambda now: different_beside_panel(held, now) > FEW), "the marker stays when the key is released")
        player.key("o")
    finally:
        status, output = player.end()
    expect(status == 0, f"it ended with {status}: {output}")
    done = inputs((folder / "sources.toml").read_text())
    expect(len(re.findall(" source ", done)) == 4 and len(re.findall(" remove source=", done)) == 4, f"not all was recorded: {done}")
    expect(done.count(" remove body=thrown-1") == 1, f"the body was not removed: {done}")
    begin, end = (float(re.findall(rf"^(\S+) {what}", done, re.M)[-1]) for what in ("source at", "remove source=4"))
    expect(end > begin, f"the held key pours from {begin} s to {end} s")
    expect_repeated(shoal, folder, "sources")
    table = subprocess.run([shoal, "table", "sources.h5", "--columns", f"mass@{begin:.9g},mass@{end:.9g}", "--as", "csv"], cwd=folder,
                           check=True, capture_output=True, text=True).stdout
    before, after = map(float, table.splitlines()[-1].split(","))
    expect(after > before, f"the held key pours no water: {before} kg at {begin} s, {after} kg at {end} s")


def play_quantities_and_files(app, shoal, folder, display):
    """
    A quantity of the list is shown in colours, also of its logarithm; a screenshot has no background. A mesh dropped on the picture is
    run, and one dropped on the panel is thrown.
    """
    n = 20  # squares along a side
    (folder / "pool.obj").write_text("".join(f"v {i / n} {j / n} 0\n" for j in range(n + 1) for i in range(n + 1)) + "".join(
        f"f {k} {k + 1} {k + n + 2}\nf {k} {k + n + 2} {k + n + 1}\n" for j in range(n) for k in range(1 + j * (n + 1), 1 + j * (n + 1) + n)))
    player = screen.Player(display, [app, "sphere-bump", "--mesh", "icosphere:3", "--paused", "--size", f"{WIDTH}x{HEIGHT}",
                                     "--record", "dropped.toml"], folder)

    def changes_the_picture(what, do):
        player.move(PANEL // 2, HEIGHT // 2)
        before = rests_beside_panel(display)
        do()
        player.move(PANEL // 2, HEIGHT // 2)
        expect(screen.becomes(display, lambda now: different_beside_panel(before, now) > FEW, timeout=20), what)

    def click(place):
        player.move(*place)
        display.tool("click", 1)
        time.sleep(0.3)

    try:
        player.key("F1")
        click(QUANTITIES)
        changes_the_picture("the list of quantities shows no depth", lambda: click(DEPTH))
        changes_the_picture("no logarithmic scale", lambda: click(LOG_SCALE))
        click(TRANSPARENT)
        player.key("F12")
        picture = folder / "results/window/picture-001.png"
        expect(screen.becomes(display, lambda _: picture.exists()), "F12 writes no picture")
        pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgba", "-"],
                                check=True, capture_output=True).stdout
        opacity = pixels[3::4]
        width = len(opacity) // HEIGHT
        expect(opacity[0] == 0 and opacity[HEIGHT // 2 * width + width // 2] == 255,
               f"opacities of background and surface: {opacity[0]}, {opacity[HEIGHT // 2 * width + width // 2]}")
        changes_the_picture("a dropped mesh is not shown", lambda: expect(
            drop.drop(display.name, player.window, folder / "pool.obj", PANEL // 2, HEIGHT // 2), "the window takes no file"))
        changes_the_picture("a mesh dropped on the panel is not thrown", lambda: (
            drop.drop(display.name, player.window, folder / "wedge.obj", PANEL + 100, HEIGHT // 2),
            player.move(PANEL // 2, HEIGHT // 2), time.sleep(0.5), player.key("space", "o")))
    finally:
        status, output = player.end()
    expect(status == 0, f"it ended with {status}: {output}")
    text = (folder / "dropped.toml").read_text()
    expect('scene = "bump"' in text and "pool.obj" in text, f"the last session is not that of the dropped mesh: {text}")
    expect(re.search(r" throw body=mesh size=\S+ file=\S*wedge.obj ", text), f"the dropped object is not thrown: {text}")
    expect_repeated(shoal, folder, "dropped")


def play_thesis(app, shoal, folder, display):
    """The defaults of Angst 2007, table C.2, are those of the run, of the picture and of the tools."""
    options = [app, "sphere-bump", "--mesh", "icosphere:3", "--paused", "--no-panels", "--size", f"{WIDTH}x{HEIGHT}"]
    pictures = []
    for more in ([], ["--thesis", "--param", "lower_angle=5", "--record", "thesis.toml"]):
        player = screen.Player(display, options + more, folder)
        try:
            player.move(*MIDDLE)
            pictures.append(screen.comes_to_rest(display))
            player.key("m", "o", "o")
            if not more:
                player.key("Escape")
                time.sleep(0.5)
                expect(player.process.poll() is None, "Esc ends a session that is not saved without a question")
        finally:
            status, output = player.end()
        expect(status == 0, f"it ended with {status}: {output}")
    expect(screen.different_pixels(*pictures) > MANY, "the edges of the mesh are not drawn")
    text = (folder / "thesis.toml").read_text()
    for line in ("depth = 0.2", "friction = 0.01", "acceleration_limit = 4", "normal_smoothing = 0.5", "lower_angle = 5"):
        expect(re.search(rf"^parameters\.{re.escape(line)}$", text, re.M), f"the session has no '{line}': {text}")
    expect(" divergence=-25.7" in inputs(text), f"there is no source of that divergence: {text}")
    expect_repeated(shoal, folder, "thesis")


def stopped_by_signals(app, folder, display):
    """Its exit code says that it was stopped, of a recorded run as of a live one."""
    for subject in ("recorded.h5", "sphere-bump"):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            player = screen.Player(display, [app, subject, "--no-panels", "--size", f"{WIDTH}x{HEIGHT}"], folder)
            player.process.send_signal(number)
            output, _ = player.process.communicate(timeout=30)
            status = player.process.returncode
            expect(status == 128 + number, f"{subject}: {number.name} ends it with {status}: {output}")


def light_pixels(picture, left, top, right, bottom):
    """Those of letters, in a part of a picture."""
    return sum(min(picture[i:i + 3]) > 180 for row in range(top, bottom)
               for i in range(3 * (row * WIDTH + left), 3 * (row * WIDTH + right), 3))


def open_nothing(app, folder, display):
    """What cannot be loaded is said in the window, and at the end as on any command line."""
    player = screen.Player(display, [app, "missing.obj", "--no-panels", "--size", f"{WIDTH}x{HEIGHT}"], folder)
    try:
        picture = screen.comes_to_rest(display)
        expect(picture is not None, "an empty window moves")
        expect(light_pixels(picture, *MESSAGE) > FEW, "the window does not say why there is nothing in it")
    finally:
        status, output = player.end()
    expect(status == 2 and output == "shoal-app: mesh 'missing.obj': there is no such file\n", f"it ended with {status}: {output}")


def check_picture(path):
    pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                            check=True, capture_output=True).stdout
    expect(len(pixels) == 3 * WIDTH * HEIGHT, "the picture has another size")
    expect(len({pixels[i:i + 3] for i in range(0, len(pixels), 3)}) > 500, "the picture is empty")


def check_session(shoal, folder):
    text = (folder / "session.toml").read_text()
    done = inputs(text)
    for what in ("throw", "source", "push", "drag", "change discretization=", "change integrator="):
        expect(f" {what}" in done, f"the session has no '{what}': {done}")
    expect(len(re.findall(r" throw ", done)) == 3, f"three bodies were thrown: {done}")
    expect(re.search(r" throw body=mesh size=\S+ file=\S*wedge.obj ", done), f"none of them is the mesh: {done}")
    expect("discharge=-" in done, f"there is no sink: {done}")
    expect_repeated(shoal, folder, "session")


def expect_repeated(shoal, folder, name):
    text = (folder / f"{name}.toml").read_text()
    checksum = re.search(r"state_checksum ([0-9a-f]{16})", text).group(1)
    run = subprocess.run([shoal, "run", f"{name}.toml", "--output", f"{name}.h5"], cwd=folder, capture_output=True, text=True)
    expect(run.returncode == 0, f"shoal run ended with {run.returncode}: {run.stderr}")
    table = subprocess.run([shoal, "table", f"{name}.h5", "--columns", "outcome,state_checksum", "--as", "csv"],
                           cwd=folder, check=True, capture_output=True, text=True).stdout
    expect("finished" in table and checksum in table, f"the run is not the session, {checksum}: {table}")


def main():
    app, shoal, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    screen.require_tools()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    display = screen.Display(WIDTH, HEIGHT)
    try:
        play(app, folder, display)
        play_sources(app, shoal, folder, display)
        play_quantities_and_files(app, shoal, folder, display)
        play_thesis(app, shoal, folder, display)
        play_results(app, shoal, folder, display)
        stopped_by_signals(app, folder, display)
        open_nothing(app, folder, display)
    finally:
        display.close()
    check_picture(folder / "results/window/picture-000.png")
    check_session(shoal, folder)
    print("played, and repeated to the last bit")


if __name__ == "__main__":
    main()
