from mailgym.rubrics.answers import match_answer


def test_of_a_changed_value_the_new_one_counts() -> None:
    given = "The call was moved from Tuesday 3pm to Thursday 4pm"
    assert match_answer(given, "Thursday 4pm", "time").verdict == "right"
    assert match_answer(given, "Tuesday 3pm", "time").verdict == "wrong"
