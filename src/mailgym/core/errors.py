"""Every error mailgym raises on purpose, as one tree; each branch belongs to one boundary.

    MailgymError
    ├── UserError            the caller asked for something that cannot be done as asked
    │   ├── ConfigError        a preset, an override or an option is wrong
    │   ├── RunError           a run folder is missing, locked, damaged or of another configuration
    │   └── MissingExtra       an optional library is not installed
    ├── MailError            the mail's side: files, parsing, the mailbox
    │   ├── SourceError        a mail source cannot be read
    │   ├── StoreError         a mailbox file is missing, damaged or of another schema version
    │   ├── QueryError         a search that cannot be carried out
    │   └── UnknownMessage     no such message for this owner up to this date
    ├── ModelError           the model's side: weights, endpoints, generation
    │   ├── ModelNotFound      no such model, or its files are missing or damaged
    │   └── EndpointError      a remote model failed after its retries
    └── EnvironmentError_    the environment's side, called out of order
        ├── UnknownEnvironment
        ├── UnknownTask
        ├── NotReset           a step before the first reset
        ├── EpisodeOver        a step after the end
        └── ServerFull         a server has no place for another session

Every message says what is wrong and what to do next. A model's or a judge's failure inside an episode is a value
(:class:`mailgym.core.episode.Failure`), never one of these and never a reward of 0.
"""


class MailgymError(Exception):
    """Root of the tree: catch this to catch everything mailgym raises on purpose."""


class UserError(MailgymError):
    """The caller asked for something that cannot be done as asked."""


class ConfigError(UserError):
    """A preset, an override or an option is wrong."""


class RunError(UserError):
    """A run folder is missing, locked, damaged or belongs to another configuration."""


class MissingExtra(UserError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        """Name the library that is missing and the extra that brings it."""
        super().__init__(f"{library} is not installed: run  pip install 'mailgym[{extra}]'")


class MailError(MailgymError):
    """The mail's side: files, parsing, the mailbox."""


class SourceError(MailError):
    """A mail source cannot be read."""


class StoreError(MailError):
    """A mailbox file is missing, damaged or of another schema version."""


class QueryError(MailError):
    """A search that cannot be carried out; the text can be shown to a model, which may mend its call."""


class UnknownMessage(MailError):
    """No such message for this owner up to this date."""


class ModelError(MailgymError):
    """The model's side: weights, endpoints, generation."""


class ModelNotFound(ModelError):
    """No such model, or its files are missing or damaged."""


class EndpointError(ModelError):
    """A remote model failed after its retries."""


class EnvironmentError_(MailgymError):
    """The environment's side, called out of order."""


class UnknownEnvironment(EnvironmentError_):
    """No environment has this id."""


class UnknownTask(EnvironmentError_):
    """No task has this id in this split."""


class NotReset(EnvironmentError_):
    """A step before the first reset."""


class EpisodeOver(EnvironmentError_):
    """A step after the end of the episode: reset first."""


class ServerFull(EnvironmentError_):
    """A server has no place for another session."""
