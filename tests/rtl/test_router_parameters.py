import re

import pytest

from fatcube.groundwork.validation import ParameterError, check_boolean, check_choice, check_integer
from fatcube.rtl.port_model import PortModel
from tests.support.parameters import router_parameters


def refused(message, call, *args, **kwargs):
    """The whole message."""
    with pytest.raises(ParameterError, match=re.escape(message) + "$") as caught:
        call(*args, **kwargs)
    assert str(caught.value) == message


class TestCheck:
    def test_integer(self):
        """Catches a limit that is off by one."""
        for value in (2, 3, 5):
            assert check_integer("x", value, minimum=2, maximum=5) == value
        assert check_integer("x", 10**30, minimum=0) == 10**30

    @pytest.mark.parametrize("value", [1, 6, -3, 2.0, "3", None, True, False, [3]])
    def test_no_such_integer(self, value):
        """Catches what looks like an integer and is none, and a message that does not say what was given."""
        refused(f"x must be an integer from 2 to 5, not {value!r}", check_integer, "x", value, minimum=2, maximum=5)
        if value != 6:
            refused(f"x must be an integer of at least 2, not {value!r}", check_integer, "x", value, minimum=2)

    def test_why(self):
        """Catches a reason that is lost."""
        refused(
            "x must be 1 in model b, not 2",
            check_integer,
            "x",
            2,
            minimum=1,
            maximum=1,
            why=" in model b",
        )

    def test_choice(self):
        """Catches a choice that is taken for another."""
        assert check_choice("x", "b", ("a", "b")) == "b"
        for value in ("c", "", "ab", None, 1, ["a"]):
            refused(f"x must be one of a, b, not {value!r}", check_choice, "x", value, ("a", "b"))

    def test_boolean(self):
        """Catches 1 taken for true, and a date out of a sweep file."""
        for value in (True, False):
            assert check_boolean("x", value) is value
        for value in (0, 1, None, "true", 2.0, [True]):
            refused(f"x must be true or false, not {value!r}", check_boolean, "x", value)

    @pytest.mark.parametrize("name", ["one_way", "counters"])
    def test_router_parameters_are_booleans(self, name):
        refused(
            f"{name.replace('_', ' ')} must be true or false, not 1",
            router_parameters,
            processors=1,
            channels=1,
            **{name: 1},
        )

    def test_is_a_value_error(self):
        """Catches an error that a caller who knows nothing of fatcube would miss."""
        assert issubclass(ParameterError, ValueError)


class TestRouterParameters:
    @pytest.mark.parametrize(
        "given, message",
        [
            ({"ports": "c"}, "ports must be one of 1, b, d, * or one, broadcast, d-port, all-port, not 'c'"),
            ({"processors": 0}, "processors must be an integer of at least 1, not 0"),
            ({"channels": -1}, "channels must be an integer of at least 0, not -1"),
            ({"channels": 2.0}, "channels must be an integer of at least 0, not 2.0"),
            ({"lanes": 0}, "lanes must be an integer of at least 1, not 0"),
            ({"lanes": True}, "lanes must be an integer of at least 1, not True"),
            ({"buffer_depth": 0}, "buffer depth must be an integer from 1 to 4096, not 0"),
            ({"buffer_depth": 4097}, "buffer depth must be an integer from 1 to 4096, not 4097"),
            ({"pipeline": 0}, "pipeline must be an integer from 1 to 2, not 0"),
            ({"pipeline": 3}, "pipeline must be an integer from 1 to 2, not 3"),
            ({"hops": 0}, "hops must be an integer from 1 to 64, not 0"),
            ({"hops": 65}, "hops must be an integer from 1 to 64, not 65"),
            (
                {"hops": 2, "ports": "b", "switching": "wormhole"},
                "hops must be 1 in model b without virtual cut-through, not 2",
            ),
            ({"turns": "some"}, "turns must be one of used, forward, all, not 'some'"),
            ({"turns": None}, "turns must be one of used, forward, all, not None"),
            ({"turns": "all", "ports": "b"}, "turns must be used in model b, not all"),
            ({"message_bits": -1}, "message bits must be an integer of at least 0, not -1"),
            ({"width": 0}, "width must be an integer from 1 to 4096, not 0"),
            ({"width": 4097}, "width must be an integer from 1 to 4096, not 4097"),
            # 4 outputs: a selector of 2 bits for each of 2 routers.
            (
                {"width": 8, "message_bits": 5},
                "width must be an integer of at least 9 (a header has 4 bits of route and 5 of message id), not 8",
            ),
            # A mask of 4 bits and a selector of 1 bit for each of 2 lanes.
            (
                {"width": 5, "ports": "b"},
                "width must be an integer of at least 6 (a header has 6 bits of route and 0 of message id), not 5",
            ),
        ],
    )
    def test_refused(self, given, message):
        """Catches a router that would be built from nonsense, and a message that does not help."""
        refused(message, router_parameters, **{"processors": 2, "channels": 2, **given})

    def test_width_that_just_fits(self):
        """Catches a limit that is a bit too strict."""
        assert router_parameters(processors=2, channels=2, width=9, message_bits=5).header.route_bits == 4
        assert router_parameters(processors=2, channels=2, width=6, ports="b").header.route_bits == 6

    @pytest.mark.parametrize("model, ports, crossbar", [("1", 1, 9), ("b", 1, 9), ("d", 2, 12), ("*", 4, 18)])
    def test_counts(self, model, ports, crossbar):
        """Catches Table 1 read wrong: m = 3, d = 2, f = 3."""
        of = router_parameters(processors=3, channels=2, lanes=3, ports=model, width=64)
        assert (of.ports, of.processor_ports, of.crossbar_ports) == (ports, 3 * ports, crossbar)
        assert of.header.outputs == crossbar
        assert of.options.ports is PortModel.parse(model)

    @pytest.mark.parametrize("model", ["1", "b", "d", "*"])
    def test_numbers(self, model):
        """Catches two ports with one number, or numbers in another order than documented."""
        of = router_parameters(processors=3, channels=2, lanes=3, ports=model, width=64)
        numbers = [of.processor_port(p, j) for p in range(3) for j in range(of.ports)]
        numbers += [of.lane_port(c, l) for c in range(2) for l in range(3)]
        assert numbers == list(range(of.crossbar_ports))

    @pytest.mark.parametrize("shape", [(1, 1, 1), (1, 2, 2), (2, 2, 1), (3, 1, 2)], ids=str)
    @pytest.mark.parametrize("model", ["1", "b", "d", "*"])
    def test_reach(self, shape, model):
        """Catches a turn that is missing or superfluous, against its definition."""
        processors, channels, lanes = shape
        for hops in (1,) if model == "b" else (1, 2):
            given = {
                "processors": processors,
                "channels": channels,
                "lanes": lanes,
                "ports": model,
                "width": 64,
                "hops": hops,
            }
            of = router_parameters(**given)
            owners = [("processor", p) for p in range(processors) for _ in range(of.ports)]
            owners += [("channel", c) for c in range(channels) for _ in range(lanes)]
            for number, (kind, own) in enumerate(owners):
                used = tuple(
                    output
                    for output, owner in enumerate(owners)
                    if owner != (kind, own) and (hops > 1 or "processor" in (kind, owner[0]))
                )
                assert of.reach(number) == used
                if model != "b":
                    every = tuple(range(of.crossbar_ports))
                    assert router_parameters(**given, turns="all").reach(number) == every
                    assert (
                        router_parameters(**given, turns="forward").reach(number)
                        == every[:number] + every[number + 1 :]
                    )

    def test_names(self):
        """By hand: as docs name the streams of 2 processors with 2 ports, and the lanes of 2 channels with 3."""
        of = router_parameters(processors=2, channels=2, lanes=3, ports="d", width=64)
        lanes = [f"channel{c}_lane{l}" for c in range(2) for l in range(3)]
        assert of.input_names == [
            *("processor0_send0", "processor0_send1", "processor1_send0", "processor1_send1"),
            *(f"{lane}_in" for lane in lanes),
        ]
        assert of.output_names == [
            *("processor0_receive0", "processor0_receive1", "processor1_receive0", "processor1_receive1"),
            *(f"{lane}_out" for lane in lanes),
        ]

    def test_tables(self):
        """By hand: one for an input of a processor, and one for each of two classes for that of a lane; and their targets."""
        given = {"processors": 2, "channels": 1, "lanes": 2, "width": 64, "virtual_channels": 4, "channel_classes": 2}
        of = router_parameters(**given, destinations=8)
        assert of.tables == [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)]
        assert router_parameters(**given).tables == []
        assert [(target.output, target.channels) for target in of.targets] == [
            *((0, (0, 1)), (1, (0, 1))),  # as many at a processor as a class has
            *((2, (0, 2)), (2, (1, 3)), (3, (0, 2)), (3, (1, 3))),
        ]

    def test_turns_of_classes(self):
        """By hand: targets 2 and 3 are the classes of the lane of output 2; a turn of which no class is said has both."""
        given = {"processors": 2, "channels": 2, "width": 64, "virtual_channels": 2, "channel_classes": 2, "hops": 2}
        every = router_parameters(**given, destinations=8)
        assert [every.reached(0, 0), every.reached(2, 1)] == [[1, 2, 3, 4, 5], [0, 1, 4, 5]]
        of = router_parameters(
            **given, destinations=8, class_turns=frozenset({(0, 0, 2, 1), (2, 1, 1, 0), (2, 0, 3, 1)})
        )
        assert [of.reached(0, 0), of.reached(2, 0), of.reached(2, 1)] == [[1, 3, 4, 5], [0, 5], [0, 1]]

    def test_is_a_value(self):
        """Catches parameters that change, or are not equal to themselves: routers are shared by them."""
        one, other = (router_parameters(processors=2, channels=2, ports=model) for model in ("d", "d-port"))
        assert one == other and hash(one) == hash(other)
        with pytest.raises(AttributeError):
            one.lanes = 8
