"""A report as JUnit XML, which every CI system reads: one test case a group."""

from __future__ import annotations

from xml.etree import ElementTree

from bgcore.conformance.report import Report

__all__ = ["junit"]

MOST_EXAMPLES = 5


def junit(report: Report) -> str:
    """The report as JUnit XML.

    A group that is not offered, or not run, is skipped; one that is offered in part has passed with a note.
    """
    suite = ElementTree.Element(
        "testsuite",
        name=printable(f"bgcore conformance {report.suite}: {report.engine} {report.version}".strip()),
        tests=str(len(report.groups)),
        failures=str(sum(group.status == "failed" for group in report.groups)),
        errors=str(int(bool(report.trouble))),
        skipped=str(sum(group.status in ("not offered", "not run") for group in report.groups)),
        time=f"{sum(group.seconds for group in report.groups):.3f}",
    )
    for group in report.groups:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"conformance.{report.suite}", name=group.name, time=f"{group.seconds:.3f}"
        )
        lacks = f"not offered: {', '.join(sorted(group.lacks))}"
        if group.status == "failed":
            mine = [failure for failure in report.failures if failure.group == group.name]
            text = "\n\n".join(failure.text() for failure in mine[:MOST_EXAMPLES])
            message = f"{group.failed} of {group.asked} answers are wrong"
            ElementTree.SubElement(case, "failure", message=message).text = printable(text)
        elif group.status == "not offered":
            ElementTree.SubElement(case, "skipped", message=printable(lacks))
        elif group.status == "not run":
            ElementTree.SubElement(case, "skipped", message=printable(f"not run: {report.trouble}"))
        elif group.status == "in part":
            ElementTree.SubElement(case, "system-out").text = printable(lacks)
    if report.trouble:
        case = ElementTree.SubElement(suite, "testcase", classname=f"conformance.{report.suite}", name="the run")
        ElementTree.SubElement(case, "error", message=printable(report.trouble))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def printable(text: str) -> str:
    """A text without the characters that XML cannot hold, which an engine may have written."""
    return "".join(c if c in "\t\n" or (c.isprintable() and c not in "\ufffe\uffff") else "\ufffd" for c in text)
