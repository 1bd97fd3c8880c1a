"""The plan preview of an assessed host as text: what a person would run, what it interrupts, and what is left out."""

from collections.abc import Mapping
from typing import Any

from plumbline.bundles.assess import titles_of


def print_plan(plan: Mapping[str, Any]) -> None:
    """Prints a preview (`bundles.schemas.PlanPreview` as plain data) below its host."""
    if not (plan["steps"] or plan["left_out"] or plan["manual"]):
        print("  plan     nothing to fix")
        return
    if plan["steps"]:
        print(f"  plan     preview, not approved: {plan['words']}")
    for step in plan["steps"]:
        _print_step(step)
    for part in plan["left_out"]:
        print(f"  left out {titles_of(part)}: {part['words']}")
        if part["command"]:
            print(f"           shown by: {part['command']}")
        for step in part["steps"]:
            _print_step(step)
    for part in plan["manual"]:
        print(f"  manual   {titles_of(part)}: {part['because']}")
        for line in part["steps"]:
            print(f"           - {line}")


def _print_step(step: Mapping[str, Any]) -> None:
    print(f"  step {step['number']:<4}{step['title']}" + (f" · {step['words']}" if step["words"] else ""))
    for line in step["needed"]:
        print(f"           requires: {line}")
    for command in step["commands"]:
        print(f"           run:  {command}")
    for command in step["undo"]:
        print(f"           undo: {command}")
