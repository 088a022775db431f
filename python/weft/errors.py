"""The exceptions of weft. In collective calls every rank raises the same one."""

from __future__ import annotations

import enum
from typing import NoReturn


class Code(enum.IntEnum):
    """The kind of failure that an Error reports. Values are the exit codes of the `weft`
    command."""

    WRONG_RESULT = 1
    BAD_REQUEST = 2
    NOT_AVAILABLE = 3
    SYSTEM = 4


class Error(RuntimeError):
    """A failure with a message that quotes the values involved; `code` is a `Code`."""

    def __init__(self, message: str, code: int = Code.SYSTEM) -> None:
        super().__init__(message)
        self.code = Code(code)


class BadRequest(Error, ValueError):
    """An argument, an array or a text is invalid, or ranks disagree."""

    def __init__(self, message: str, code: int = Code.BAD_REQUEST) -> None:
        super().__init__(message, code)


def error_of(code: int, message: str) -> Error:
    """The exception for an error of the library."""
    return (BadRequest if code == Code.BAD_REQUEST else Error)(message, code)


class Closed:
    """Stands for what close() has released: every use raises BadRequest."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> NoReturn:
        raise BadRequest(f"the {self._name} has been closed")
