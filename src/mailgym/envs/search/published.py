"""The columns of the table of `search`, and the rows that ART·E's authors published."""

from mailgym.envs.figures import Figure, Published

ACCURACY, COST = "accuracy [interval]", "$ per 1,000"

ANSWER_FIGURES = (
    Figure(ACCURACY, ("answer_correct",), "interval", digits=3, failed=0.0),
    Figure("wrong", ("hallucinated",), failed=0.0, better="lower"),
    Figure("don't know", ("returned_i_dont_know",), failed=0.0, better="neither"),
    Figure("unsure", ("answer_unsure",), failed=0.0, better="neither"),
    Figure("sources F1", ("citation_f1",)),
    Figure("reward", ("reward",), digits=3),
    Figure("turns", ("turns",), digits=1),
    Figure("tokens", ("prompt_tokens", "completion_tokens"), digits=0),
    Figure("p50 s", ("latency_s",), "p50"),
    Figure("p95 s", ("latency_s",), "p95"),
    Figure(COST, ("cost_usd", "judge_cost_usd"), scale=1000.0),
)
"""``wrong`` is the hallucination rate: answers that are wrong, of all episodes, as ART·E counts them."""

_MEASURED_ON = (
    "on its own questions about mail of the Enron corpus, judged by a language model; other questions, mail and "
    "machines than above"
)
ART_E = (
    Published(
        "ART·E, published",
        "figures of OpenPipe's article and talk on ART·E (Qwen2.5-14B after GRPO, 2025): answers, cost, and 1.1 s for "
        f"a whole run, {_MEASURED_ON}",
        {ACCURACY: "0.96", COST: "0.85"},
    ),
    Published(
        "o3, published",
        f"prompted, from the same article and talk, at the prices of that time; 5.6 s for a whole run, {_MEASURED_ON}",
        {ACCURACY: "0.90", COST: "55"},
    ),
)
