"""What a capture knows of a class it asks again once the class, a base or what a method is made of has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emberjit import CaptureError
from emberjit import _emberjit as core
from emberjit.capture.code.lookup import in_class, is_settled
from emberjit.capture.dispatch.calls import ENGINE
from emberjit.capture.guards.record import check_class
from emberjit.capture.session.session import Session, active


class Opaque:
    """Called as a method, it runs what nobody follows."""

    def __init__(self, said: Any):
        self.said = said

    def __call__(self, *args: Any) -> Any:
        return self.said


def computed(self: Any, name: str) -> Any:
    """A __getattribute__ that does more than to ask for another name."""
    return str(name)


def renaming(self: Any, name: str) -> Any:
    """One that does no more."""
    return object.__getattribute__(self, name)


def of_class(cls: Any) -> None:
    cls.__getattribute__ = computed


def of_base(cls: Any) -> None:
    cls.__mro__[1].__getattr__ = Opaque("found")


def by_method(cls: Any) -> None:
    cls.__add__ = Opaque("sum")


def of_bases(cls: Any) -> None:
    cls.__bases__ = (type("Other", (Base,), {"__len__": Opaque(3)}),)


class Base:
    """What a class under test derives from."""


@pytest.mark.parametrize("change", [of_class, of_base, by_method, of_bases])
def test_a_class_is_checked_anew_once_it_has_changed(change: Callable[[Any], None]) -> None:
    base = type("Derived", (Base,), {})
    cls = type("Further", (base,), {})
    with active(Session(ENGINE)) as session:
        check_class(cls)
        assert id(cls) in session.checked
        check_class(cls)
        change(cls)
        with pytest.raises(CaptureError):
            check_class(cls)


def test_what_a_function_does_is_no_state_of_its_class() -> None:
    def access(self: Any, name: str) -> Any:
        return object.__getattribute__(self, name)

    cls = type("Renaming", (Base,), {"__getattribute__": access})
    with active(Session(ENGINE)):
        check_class(cls)
        access.__code__ = computed.__code__
        with pytest.raises(CaptureError):
            check_class(cls)


def test_nor_is_the_class_of_a_special_attribute() -> None:
    class Mark:
        """Of itself it cannot be called."""

    cls = type("Marked", (Base,), {"__mark__": Mark()})
    assert not is_settled(cls)
    with active(Session(ENGINE)):
        check_class(cls)
        vars(cls)["__mark__"].__class__ = type("Called", (), {"__call__": lambda self: 1})
        with pytest.raises(CaptureError):
            check_class(cls)


def test_sessions_know_nothing_of_each_other() -> None:
    with active(Session(ENGINE)):
        check_class(Base)
    with active(Session(ENGINE)) as session:
        assert not session.checked


def test_each_state_of_a_class_has_a_version_of_its_own() -> None:
    cls: Any = type("Derived", (Base,), {})
    seen = [core.class_version(cls)]
    assert core.class_version(cls) == seen[0] != core.class_version(Base)
    for change in (lambda: setattr(cls, "a", 1), lambda: setattr(Base, "b", 1), lambda: delattr(Base, "b")):
        change()
        assert core.class_version(cls) not in seen
        seen.append(core.class_version(cls))


def test_classes_are_looked_into_without_being_asked() -> None:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(f"{name} is asked for")

    class Asked(Base, metaclass=Meta):
        a = 1

    assert in_class(Asked, "a") == 1
    assert in_class(Asked, "b") is None
    assert in_class(Asked, "b", 2) == 2
    for wrong in ((1, "a"), (Asked, 1), (Asked,), ()):
        with pytest.raises(TypeError, match=r"in_class\(\) takes a class"):
            in_class(*wrong)
