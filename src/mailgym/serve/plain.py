"""Environments over plain HTTP: reset, step and state with sessions, for curl and for any language.

A request belongs to a session: the one that the header ``X-Session-Id`` names, or ``session_id`` in body or query, or
the cookie ``mailgym_session``; without any of them it is the one session of all who name none. What is said in the
bodies, and which further routes there are, is the environment's dialect (:mod:`mailgym.envs.dialects`).

Answers: 422 for a malformed envelope, 404 for an unknown task, 409 for a step before a reset or after the end, 503 with
no place for another session. A wrong action is no error of HTTP: it is answered and priced by the environment.
"""

import itertools
import json
import logging
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mailgym import __version__
from mailgym.core.errors import EpisodeOver, MailgymError, NotReset, ServerFull, UnknownTask, UserError
from mailgym.envs.dialects import Moment, Route
from mailgym.serve.services import SERVICES, Asked, Served
from mailgym.serve.sessions import DEFAULT_NAME, Limits, Session, Sessions

SESSION_HEADER, SESSION_COOKIE, SESSION_FIELD = "x-session-id", "mailgym_session", "session_id"
MAX_NAME_CHARS = 200
MAX_JSON_DEPTH = 64
SURROGATE = re.compile(r"[\ud800-\udfff]")
STATUS_OF: tuple[tuple[type[MailgymError], int], ...] = (
    (NotReset, 409),
    (EpisodeOver, 409),
    (UnknownTask, 404),
    (ServerFull, 503),
    (UserError, 422),
)
log = logging.getLogger(__name__)
Endpoint = Callable[[Request], Awaitable[Response]]
AddRoutes = Callable[[FastAPI, Served, Limits], None]


class _BadEnvelopeError(Exception):
    """A body or query that is not what the route takes; answered with 422."""

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__("bad envelope")
        self.problems = problems


def make_app(served: Sequence[Served], limits: Limits | None = None, further: AddRoutes | None = None) -> FastAPI:
    """Return an application that serves one environment at its root, or several below their ids.

    Args:
        served: The environments.
        limits: How much each takes on.
        further: Adds routes of another protocol to an environment's application, behind those of plain HTTP.
    """
    parts = {one.spec.id: _app_of(one, limits or Limits(), further) for one in served}
    if len(served) == 1:
        return parts[served[0].spec.id]

    @asynccontextmanager
    async def all_of_them(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for part in parts.values():
                await stack.enter_async_context(part.router.lifespan_context(part))
            yield

    app = FastAPI(title="mailgym", version=__version__, description=_describe(served), lifespan=all_of_them)
    _add_overview(app, served)
    for name, part in parts.items():
        app.mount(f"/{name}", part)
    return app


def _app_of(served: Served, limits: Limits, further: AddRoutes | None) -> FastAPI:
    app = FastAPI(title=f"mailgym: {served.spec.id}", version=__version__, description=_describe([served]))
    add_routes(app, served, limits)
    if further is not None:
        further(app, served, limits)
    return app


def add_routes(app: FastAPI, served: Served, limits: Limits) -> None:
    """Add the routes of one environment."""
    front = _Front(served, limits)
    dialect = served.dialect
    rows: list[tuple[str, str, Endpoint, type[BaseModel] | None, str]] = [
        ("POST", "/reset", front.reset, dialect.reset_body, "Open an episode."),
        ("POST", "/step", front.step, dialect.step_body, "Play one action."),
        ("GET", "/state", front.state, None, "Where the session's episode stands."),
    ]
    own = {(route.method, route.path) for route in dialect.routes}
    usual = (
        Route("GET", "/health", "health", "Whether the server is there."),
        Route("GET", "/tasks", "tasks", "The ids that a reset takes."),
        Route("GET", "/info", "about", "What is served."),
    )
    routes = [*dialect.routes, *(route for route in usual if (route.method, route.path) not in own)]
    rows += [(route.method, route.path, front.service(route), route.body, route.about) for route in routes]
    for method, path, endpoint, body, about in rows:
        extra = {"requestBody": _schema(body)} if body is not None else {}
        app.add_api_route(
            path,
            endpoint,
            methods=[method],
            summary=about,
            operation_id=f"{served.spec.id}{path}_{method.lower()}".replace("/", "_"),
            openapi_extra=extra,
            tags=[served.spec.id],
            responses={409: {"description": "No episode is open, or it is over."}, 422: {"description": "Malformed."}},
            response_model=None,
        )


class _Front:
    """The endpoints of one environment."""

    def __init__(self, served: Served, limits: Limits) -> None:
        self._served = served
        self._sessions = Sessions(served.make, limits)
        self._resets = itertools.count()

    async def reset(self, request: Request) -> Response:
        dialect = self._served.dialect

        def work(name: str, fields: dict[str, Any]) -> dict[str, Any]:
            body = _validated(dialect.reset_body, fields)
            opening = dialect.opening(body, self._served.tasks.task_ids, next(self._resets))
            with self._sessions.opened(name) as session:
                return dialect.answer(session.reset(opening))

        return await _answered(request, work)

    async def step(self, request: Request) -> Response:
        dialect = self._served.dialect

        def work(name: str, fields: dict[str, Any]) -> dict[str, Any]:
            body = _validated(dialect.step_body, fields)
            with self._sessions.found(name) as session:
                return dialect.answer(session.step(dialect.action(body, session.moment)))

        return await _answered(request, work)

    async def state(self, request: Request) -> Response:
        def work(name: str, fields: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 (a state takes no fields)
            try:
                with self._sessions.found(name) as session:
                    return self._served.dialect.state(session.moment)
            except NotReset:
                return self._served.dialect.state(Moment({}, self._served.make().state))

        return await _answered(request, work)

    def service(self, route: Route) -> Endpoint:
        """Return the endpoint of a further route."""

        def work(name: str, fields: dict[str, Any]) -> Any:
            given: Mapping[str, Any] = fields
            if route.body is not None:
                body = _validated(route.body, fields)
                given = body.model_dump() if route.fields is None else route.fields(body)
            try:
                with self._sessions.found(name) as session:
                    found = self._serve(route, given, session)
            except NotReset:
                found = self._serve(route, given, None)
            return found if route.shape is None else route.shape(found)

        async def endpoint(request: Request) -> Response:
            return await _answered(request, work)

        return endpoint

    def _serve(self, route: Route, fields: Mapping[str, Any], session: Session | None) -> dict[str, Any]:
        return SERVICES[route.service](self._served, Asked(fields, session, route.fixed))


async def _answered(request: Request, work: Callable[[str, dict[str, Any]], Any]) -> Response:
    """Read a request, let ``work`` answer it in a thread, and turn errors into the statuses they have."""
    try:
        fields = await _fields(request)
        name = _session_name(request, fields)
        return JSONResponse(await run_in_threadpool(work, name, fields))
    except _BadEnvelopeError as bad:
        return JSONResponse({"error": _say(bad.problems), "detail": bad.problems}, 422)
    except MailgymError as error:
        for kind, status in STATUS_OF:
            if isinstance(error, kind):
                headers = {"retry-after": "5"} if status == 503 else None
                return JSONResponse({"error": str(error)}, status, headers)
        log.exception("a request failed")
        return JSONResponse({"error": "the environment failed: see the server's log"}, 500)


async def _fields(request: Request) -> dict[str, Any]:
    """Return the fields of body and query, the body's first.

    Raises:
        _BadEnvelopeError: The body is not a JSON object.
    """
    raw = await request.body()
    fields: dict[str, Any] = dict(request.query_params)
    if not raw.strip():
        return fields
    try:
        body = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise _BadEnvelopeError([_problem(["body"], "json_invalid", "the body is not valid JSON")]) from error
    if not isinstance(body, dict):
        raise _BadEnvelopeError([_problem(["body"], "dict_type", "the body must be a JSON object")])
    wrong = _what_cannot_be_sent_back(body)
    if wrong:
        raise _BadEnvelopeError([_problem(["body"], "json_invalid", wrong)])
    return {**fields, **body}


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _what_cannot_be_sent_back(body: dict[str, Any]) -> str:
    """Return why a body, which some routes repeat, could not be written as JSON again; empty where it can."""
    level: list[Any] = [body]
    for _ in range(MAX_JSON_DEPTH):
        if any(isinstance(value, float) and not math.isfinite(value) for value in level):
            return "the body has a number that is too large"
        below = [item for value in level if isinstance(value, dict | list) for item in _items(value)]
        if any(isinstance(value, str) and not value.isascii() and SURROGATE.search(value) for value in below):
            return "the body has half a surrogate pair, which is no character"
        if not below:
            return ""
        level = below
    return f"the body is nested more than {MAX_JSON_DEPTH} deep"


def _items(value: dict[str, Any] | list[Any]) -> list[Any]:
    return value if isinstance(value, list) else [*value.keys(), *value.values()]


def _session_name(request: Request, fields: dict[str, Any]) -> str:
    """Return the session that a request belongs to.

    Raises:
        _BadEnvelopeError: It is not a short text.
    """
    places = (request.headers.get(SESSION_HEADER), fields.get(SESSION_FIELD), request.cookies.get(SESSION_COOKIE))
    name = next((named for named in places if named is not None), DEFAULT_NAME)
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME_CHARS:
        text = f"a session's name is a text of 1 to {MAX_NAME_CHARS} characters"
        raise _BadEnvelopeError([_problem(["body", SESSION_FIELD], "string_type", text)])
    return name


def _validated(model: type[BaseModel], fields: Mapping[str, Any]) -> BaseModel:
    """Return an envelope; the session's name may stand in any, also in one that has no field for it.

    Raises:
        _BadEnvelopeError: It is not one.
    """
    known = fields if SESSION_FIELD in model.model_fields else {k: v for k, v in fields.items() if k != SESSION_FIELD}
    try:
        return model.model_validate(known)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise _BadEnvelopeError([_problem(["body", *one["loc"]], one["type"], one["msg"]) for one in found]) from error


def _problem(place: Sequence[str | int], kind: str, text: str) -> dict[str, Any]:
    return {"loc": list(place), "type": kind, "msg": text}


def _say(problems: list[dict[str, Any]]) -> str:
    return "; ".join(f"{'.'.join(str(step) for step in one['loc'])}: {one['msg']}" for one in problems[:3])


def _schema(body: type[BaseModel]) -> dict[str, Any]:
    return {"required": False, "content": {"application/json": {"schema": body.model_json_schema()}}}


def _describe(served: Sequence[Served]) -> str:
    lines = [f"- **{one.spec.id}** ({one.profile}, {len(one.tasks)} tasks): {one.spec.title}" for one in served]
    return "E-mail environments for agents.\n\n" + "\n".join(lines)


def _add_overview(app: FastAPI, served: Sequence[Served]) -> None:
    async def overview() -> dict[str, Any]:
        """Which environments are served, and where."""
        return {"environments": {one.spec.id: f"/{one.spec.id}/" for one in served}}

    async def healthy() -> dict[str, str]:
        """Whether the server is there."""
        return {"status": "healthy"}

    app.add_api_route("/", overview, methods=["GET"])
    app.add_api_route("/health", healthy, methods=["GET"])
