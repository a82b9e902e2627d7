"""Run every benchmark in turn; each also runs alone: `python -m benchmarks.readers`."""

from __future__ import annotations

import importlib

MODULES = ("readers", "names", "kickoffs", "models", "pairrank", "page", "labelling", "server")


def main() -> None:
    for name in MODULES:
        print(f"== benchmarks.{name}")
        try:
            importlib.import_module(f"benchmarks.{name}").main()
        except SystemExit as stop:  # one that lacks its data does not stop the others
            print(stop)
        print()


if __name__ == "__main__":
    main()
