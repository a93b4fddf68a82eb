"""The report's sentences: each says what was measured, with its interval, and no more."""

from collections.abc import Sequence

from mailgym.evaluate.benchmark import BenchmarkTable, format_interval
from mailgym.evaluate.report.gather import AFTER, BEFORE, WARM, Report, Standing, short_path
from mailgym.evaluate.statistics import Interval, PairedDifference

SMALL_P = 1e-4


def headline(report: Report) -> str:
    """Return what the run gained, in one sentence."""
    before, gain = report.standing(BEFORE), report.gain
    after = report.standing(AFTER)
    if gain is None or gain.difference is None or before is None or after is None:
        if report.table is None:
            return "No held-out episodes have been played yet: there is nothing to compare."
        if not trained(report):
            return _evaluation(report, report.table)
        return "There are no held-out episodes from both before and after training: no gain can be stated."
    interval = gain.difference.interval
    first = sum(pair.before.reward or 0.0 for pair in gain.pairs) / len(gain.pairs)
    second = first + interval.mean
    change = f"{format_interval(interval, sign=True)}, {p_words(gain.difference.p_value)}"
    verb = "rose" if interval.low > 0 else "fell" if interval.high < 0 else "went"
    questions = _count(len(gain.pairs), "question")
    sentence = f"Held-out reward {verb} from {first:.3f} to {second:.3f}: {change}, {questions}."
    if verb == "went":
        sentence += " The interval holds zero: no change is shown."
    return sentence


def stages_sentence(report: Report) -> str:
    """Return what imitation gave and what reinforcement gave after it, apart; empty for a run without a warm start."""
    before, warm, after = (report.standing(role) for role in (BEFORE, WARM, AFTER))
    if report.imitation is None or before is None or warm is None:
        return ""
    rows = [("untrained", before), ("after the warm start", warm), ("after reinforcement", after)]
    means = [f"{name} {s.row.reward.mean:.3f}" for name, s in rows if s is not None and s.row.reward is not None]
    gains = [("imitation", report.imitation), ("reinforcement after it", report.reinforcement)]
    given = [
        f"{name} gave {format_interval(found.difference.interval, sign=True)}, {p_words(found.difference.p_value)}"
        for name, found in gains
        if found is not None and found.difference is not None
    ]
    return f"Stages: {' → '.join(means)}. Of the difference {'; '.join(given)}." if given else ""


def trained(report: Report) -> bool:
    """Whether the run trains: it has updates, or episodes from before or after them."""
    return bool(report.curves.updates or report.standing(BEFORE) or report.standing(AFTER))


def _evaluation(report: Report, table: BenchmarkTable) -> str:
    rows = [standing.row for standing in report.standings if standing.row.reward is not None]
    if not rows:
        return f"{_count(len(table.rows), 'agent')} on {_count(table.tasks, 'question')}: every episode failed."
    best = max(rows, key=lambda row: row.reward.mean if row.reward else 0.0)
    return (
        f"{_count(len(table.rows), 'agent')} on {_count(table.tasks, 'question')}: {best.agent} has the highest "
        f"mean reward, {format_interval(best.reward)}."
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def gap_sentence(report: Report) -> str:
    """Return how the trained agent stands to the best heuristic; empty for a run that trains nothing."""
    best = report.best
    if report.table is not None and not trained(report):
        return ""
    if best is None or best.row.reward is None:
        return "No heuristic was played on the same questions: whether a simple rule does as well is not known."
    name, mean = best.row.agent, best.row.reward.mean
    start = f"The best heuristic is {name} with {mean:.3f}."
    if best.ahead is None or best.ahead.difference is None:
        return f"{start} The trained agent has not been played on the same questions."
    return f"{start} The trained agent {_compared(best.ahead.difference.interval, best.adjusted_p)}."


def _compared(interval: Interval, p_value: float | None) -> str:
    if not any((interval.mean, interval.low, interval.high)):
        return "does exactly as well on every draw"
    size = f"{abs(interval.mean):.3f}"
    detail = f"{format_interval(interval, sign=True)}, {p_words(p_value)} after Holm"
    if interval.low > 0:
        return f"is {size} ahead of it ({detail})"
    if interval.high < 0:
        return f"is {size} behind it ({detail})"
    side = "above" if interval.mean >= 0 else "below"
    return f"is {size} {side} it, which may be chance ({detail})"


def p_words(p_value: float | None) -> str:
    """Return a p-value as text."""
    if p_value is None:
        return "not tested"
    return f"p < {SMALL_P:g}" if p_value < SMALL_P else f"p = {p_value:.2g}"


def ahead_words(standing: Standing) -> str:
    """Return the trained agent's lead over one agent as text, for a table's cell."""
    if standing.ahead is None or standing.ahead.difference is None:
        return "–"
    return format_interval(standing.ahead.difference.interval, sign=True)


def counts_sentence(report: Report) -> str:
    """Return on how many questions the agent gained, stayed the same and lost."""
    if report.gain is None or not report.gain.pairs:
        return ""
    gained, same, lost = report.gain.counts()
    sentence = f"Better on {_count(gained, 'question')}, the same on {same}, worse on {lost}."
    if report.gain.left_out:
        questions = _count(report.gain.left_out, "question")
        sentence += f" Left out of the pairs: {questions} on which an episode failed or was not played."
    return sentence


def facts(report: Report) -> list[tuple[str, str]]:
    """Return what was trained on what, as names and values."""
    config = report.config
    lines = [("environment", _environment(report))]
    if "run.model" in config:
        lines.append(("model", str(config["run.model"])))
    lines.append(("mail", _mail(report)))
    if report.table is not None:
        lines.append(("held-out questions", str(report.table.tasks)))
    if report.curves.updates:
        asked = config.get("train.updates")
        updates = f"{report.curves.updates}" + (f" of {asked}" if asked is not None else "")
        size = [config.get("train.groups"), config.get("train.group_size")]
        each = f", each {size[0]} questions × {size[1]} episodes" if None not in size else ""
        lines.append(("updates", updates + each))
        rate, loss = config.get("train.learning_rate"), config.get("train.loss")
        if rate is not None:
            lines.append(("learning rate, loss", f"{rate:g}, {loss}"))
    if report.curves.warm_start:
        lines.append(("warm start", _warm_start(report)))
    lines += _curriculum(report)
    seconds = report.curves.total_seconds()
    if seconds:
        each = ", ".join(f"{name} {value:.0f}" for name, value in seconds.items())
        lines.append(("seconds of training", f"{sum(seconds.values()):.0f} ({each})"))
    lines.append(("seeds", _seeds(report)))
    return lines


def _environment(report: Report) -> str:
    config = report.config
    turns = config.get("run.turns", config.get("eval.turns"))
    profile = config.get("run.profile", config.get("eval.profile"))
    detail = [f"{turns} turn{'s' if turns != 1 else ''}"] if turns is not None else []
    detail += [f"profile {profile}"] if profile else []
    return f"{report.env} ({', '.join(detail)})" if detail else report.env


def _curriculum(report: Report) -> list[tuple[str, str]]:
    """Return one line a stage before the run's last one: what it was, and what its validation came to."""
    lines = []
    for number, (asked, reward) in enumerate(
        zip(report.config.get("curriculum.stages", []), report.curves.stages, strict=True), 1
    ):
        came = "not begun"
        if reward:
            updates = _count(reward.updates[-1], "update")
            came = f"validation {reward.values[0]:.3f} → {reward.values[-1]:.3f} after {updates}"
        lines.append((f"stage {number}", f"{asked['env']}, {_count(asked['turns'], 'turn')}: {came}"))
    return lines


def _warm_start(report: Report) -> str:
    config, loss = report.config, report.curves.warm_start
    asked = f"{config.get('warm_start.trajectories')} trajectories of {config.get('warm_start.player')}"
    tokens, seconds = report.curves.warm_start_tokens, report.curves.warm_start_seconds
    curve = f"loss {loss.values[0]:.3f} → {loss.values[-1]:.3f}"
    return f"{asked} asked for, {len(loss.updates)} updates, {tokens} tokens, {curve}, {seconds:.0f} seconds"


def _seeds(report: Report) -> str:
    config = report.config
    seeds = {"run": config.get("run.seed", config.get("eval.seed")), "data": config.get("data.seed")}
    return ", ".join(f"{name} {seed}" for name, seed in seeds.items() if seed is not None) or "not recorded"


def _mail(report: Report) -> str:
    config = report.config
    if report.real_mail:
        shown = "; its text is left out of this report" if report.private else ""
        is_mailbox = config.get("data.source") == "mailbox"
        name = config.get("data.mailbox") if is_mailbox else config.get("data.store") or config.get("eval.store")
        return f"{'real mailbox' if is_mailbox else 'store'} {short_path(name or '')}{shown}"
    return f"simulated companies, size {config.get('data.size', '–')}"


def method_notes(report: Report) -> list[str]:
    """Return how the figures were made, one sentence a note."""
    if report.table is None:
        return []
    notes = [report.table.header + "."]
    notes.append(
        "Differences are paired: both agents on the same questions. Intervals that draw both templates and mailboxes "
        "err on the wide side. p-values flip the signs of whole clusters."
    )
    notes.extend(_blind(report.gain.difference if report.gain else None))
    notes.append(
        "Latency runs from an episode's start to its end; episodes that are played together wait for each other."
    )
    failed = [s.row.agent for s in report.standings if s.row.failures]
    if failed:
        notes.append(f"Some episodes of {', '.join(failed)} failed; they are counted in the last column.")
    if report.standing(AFTER) and report.curves.best_update is not None:
        update = report.curves.best_update
        notes.append(f"After training means the checkpoint of the highest validation reward (update {update}).")
    if report.curves.train.get("reward_mean"):
        notes.append(
            "Training rewards are of sampled episodes on training questions; validation is greedy, on other questions; "
            "the dashed lines are the heuristics' means on the held-out questions."
        )
    return notes


def _blind(difference: PairedDifference | None) -> Sequence[str]:
    if difference is None or difference.smallest_p < 0.05:
        return []
    return [f"With so few clusters no p-value below {difference.smallest_p:.2g} is possible: read the interval alone."]
