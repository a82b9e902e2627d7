"""The errors of the API: a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any

from touchline.core.errors import TouchlineError

# The HTTP status of each code.
STATUS = {
    "action": 400,
    "bad_request": 400,
    "busy": 409,
    "conflict": 409,
    "csrf": 403,
    "disk_full": 507,
    "ended": 409,
    "gold": 400,
    "host": 403,
    "internal": 500,
    "method": 400,
    "name": 400,
    "no_comment": 404,
    "no_event": 404,
    "no_gold": 404,
    "no_job": 404,
    "no_match": 404,
    "no_model": 404,
    "no_search": 404,
    "no_upload": 404,
    "not_aligned": 409,
    "not_allowed": 405,
    "not_checked": 404,
    "not_found": 404,
    "not_generated": 404,
    "not_uploaded": 403,
    "origin": 403,
    "overloaded": 503,
    "query": 400,
    "read_only": 403,
    "slow": 408,
    "token": 401,
    "too_few": 409,
    "too_large": 413,
    "too_many": 429,
    "too_slow": 503,
    "upload": 400,
}


class ApiError(TouchlineError):
    """A request that failed; `more` is sent beside code and message."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]
        self.more = more

    def body(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": str(self), **self.more}}
