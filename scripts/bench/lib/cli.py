"""The command line of the scripts: the options, the program to run, and the end."""
import argparse
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / ".build"
NAME = f"scripts/{pathlib.Path(sys.argv[0]).resolve().parent.name}/{pathlib.Path(sys.argv[0]).name}"


def pane(text):
    """(columns, rows) of a text such as 80x24."""
    columns, rows = map(int, text.split("x"))
    return columns, rows


def option_type(default):
    """The function that parses the value of an option with this default."""
    if isinstance(default, list):
        element = option_type(default[0])
        return lambda text: [element(word) for word in text.split(",") if word]
    return pane if isinstance(default, tuple) else pathlib.Path if default is None else type(default)


def shown(value):
    """A default value as it is typed."""
    if isinstance(value, list):
        return ",".join(map(shown, value))
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse(doc, program=True, **defaults):
    """Parses the command line, with the option --gifplay if `program`; --help prints `doc` and the options.

    Each option has the type of its default value: None is a path, a tuple is a pane, a list is separated by commas, and
    False is a flag. A dictionary has the arguments for argparse, with `nargs` for positional arguments."""
    parser = argparse.ArgumentParser(NAME, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (defaults | {"gifplay": None} if program else defaults).items():
        flag = "--" + name.replace("_", "-")
        if isinstance(default, dict):
            parser.add_argument(name if "nargs" in default else flag, **default)
        elif default is False:
            parser.add_argument(flag, action="store_true")
        else:
            parser.add_argument(flag, type=option_type(default), default=default,
                                help=default and f"default: {shown(default)}")
    return parser.parse_args()


def binary(given=None):
    """The absolute path of the given program, or of the one that scripts/build builds."""
    if given:
        return os.path.abspath(given)
    built = subprocess.run([ROOT / "scripts/build"], stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit(f"{NAME}: scripts/build failed")
    return built.stdout.strip()


def run(main):
    """Runs `main` and exits with its result. SIGTERM ends it like Ctrl-C, so that no temporary file remains."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(f"{NAME}: interrupted")


def log(text):
    print(f"{NAME}: {text}", file=sys.stderr, flush=True)


def report(problems):
    """Prints the problems. Returns the exit status."""
    for problem in problems:
        log(problem)
    return 1 if problems else 0
