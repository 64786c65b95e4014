"""Drops a file on a window as a file manager does, by the protocol XDND (freedesktop.org, version 5) over Xlib."""

import ctypes
import pathlib
import time

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
COPY, REPLACE = b"XdndActionCopy", 0
long, pointer = ctypes.c_long, ctypes.c_void_p


def fields(names):
    return [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", pointer), *names]


class ClientMessage(ctypes.Structure):
    _fields_ = fields([("window", long), ("message_type", long), ("format", ctypes.c_int), ("data", long * 5)])


class SelectionRequest(ctypes.Structure):
    _fields_ = fields([(name, long) for name in ("owner", "requestor", "selection", "target", "property", "time")])


class Selection(ctypes.Structure):
    _fields_ = fields([(name, long) for name in ("requestor", "selection", "target", "property", "time")])


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("message", ClientMessage), ("request", SelectionRequest), ("selection", Selection), ("room", long * 24)]


def xlib():
    """With the types of arguments, which are longer than an int."""
    library = ctypes.CDLL("libX11.so.6")
    for name, result, *arguments in [
            ("XOpenDisplay", pointer, ctypes.c_char_p), ("XCloseDisplay", ctypes.c_int, pointer),
            ("XDefaultRootWindow", long, pointer), ("XInternAtom", long, pointer, ctypes.c_char_p, ctypes.c_int),
            ("XCreateSimpleWindow", long, pointer, long, *[ctypes.c_int] * 2, *[ctypes.c_uint] * 3, *[ctypes.c_ulong] * 2),
            ("XSetSelectionOwner", ctypes.c_int, pointer, long, long, ctypes.c_ulong),
            ("XSendEvent", ctypes.c_int, pointer, long, ctypes.c_int, long, pointer), ("XFlush", ctypes.c_int, pointer),
            ("XPending", ctypes.c_int, pointer), ("XNextEvent", ctypes.c_int, pointer, pointer),
            ("XChangeProperty", ctypes.c_int, pointer, *[long] * 3, *[ctypes.c_int] * 2, ctypes.c_char_p, ctypes.c_int)]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def drop(display_name, window, file, x, y, timeout=20):
    """At a point of the screen; returns whether the window has taken it."""
    x11 = xlib()
    display = x11.XOpenDisplay(display_name.encode())
    window = int(window)
    own = x11.XCreateSimpleWindow(display, x11.XDefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)

    def atom(name):
        return x11.XInternAtom(display, name, 0)

    def send(name, *data):
        event = Event()
        event.message.type, event.message.window, event.message.message_type, event.message.format = CLIENT_MESSAGE, window, atom(name), 32
        event.message.data[:] = [own, *data]
        x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
        x11.XFlush(display)

    def give(request):
        uri = pathlib.Path(file).resolve().as_uri().encode() + b"\r\n"
        x11.XChangeProperty(display, request.requestor, request.property, request.target, 8, REPLACE, uri, len(uri))
        answer = Event()
        answer.selection.type = SELECTION_NOTIFY
        for name, _ in Selection._fields_[4:]:
            setattr(answer.selection, name, getattr(request, name))
        x11.XSendEvent(display, request.requestor, 0, 0, ctypes.byref(answer))
        x11.XFlush(display)

    def wait_for(name):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            while x11.XPending(display):
                event = Event()
                x11.XNextEvent(display, ctypes.byref(event))
                if event.type == SELECTION_REQUEST:
                    give(event.request)
                if event.type == CLIENT_MESSAGE and event.message.message_type == atom(name):
                    return event.message.data[1] != 0  # GLFW writes the length of the names there
            time.sleep(0.02)
        return False

    try:
        x11.XSetSelectionOwner(display, atom(b"XdndSelection"), own, 0)
        send(b"XdndEnter", 5 << 24, atom(b"text/uri-list"), 0, 0)
        send(b"XdndPosition", 0, x << 16 | y, 0, atom(COPY))
        if not wait_for(b"XdndStatus"):
            return False
        send(b"XdndDrop", 0, 0, 0, 0)
        return wait_for(b"XdndFinished")
    finally:
        x11.XCloseDisplay(display)
