"""All public functions of Tensors: what they are called (a declaration each, see emberjit/publish), and the compositions
among them. A module is imported when one of its names is first used."""
