//! Random nets of actors: continuous signals, events, switches, integrators, a modal model.

use super::random::Random;

struct Net {
    random: Random,
    text: String,
    /// Signals that are always present.
    continuous: Vec<String>,
    /// Signals that are present now and then.
    events: Vec<String>,
    names: usize,
}

impl Net {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("s{}", self.names)
    }
    fn number(&mut self, low: f64, high: f64) -> f64 {
        self.random.round(low, high)
    }
    fn value(&mut self) -> String {
        let place = self.random.below(self.continuous.len() + 1);
        match self.continuous.get(place) {
            Some(name) => name.clone(),
            None => "time".into(),
        }
    }
    fn event(&mut self) -> String {
        let place = self.random.below(self.events.len());
        self.events[place].clone()
    }

    /// A bounded expression over continuous signals.
    fn expression(&mut self) -> String {
        let (a, b, c) = (self.value(), self.value(), self.number(-1.5, 1.5));
        match self.random.below(10) {
            0 => format!("sin(2 * {a} + ({c}))"),
            1 => format!("tanh({a} - {b})"),
            2 => format!("min(max({a}, -2), 2) * ({c})"),
            3 => format!("if {a} < {b} then cos({a}) else ({c})"),
            4 => format!("cos({a}) * sin({b} * 3)"),
            5 => format!("tanh(abs({a} - ({c})) - {b})"),
            6 => format!("if {a} > {c} or {b} <= 0.2 then 1 else -1"),
            7 => format!("sign(sin(3 * {a})) * 0.5"),
            8 => format!("({c}) * cos(floor(3 * sin({a})))"),
            _ => format!("({c}) + sin(3 * time + {a})"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, c) = (self.value(), self.number(-0.8, 0.8));
        let relation = ["<", "<=", ">", ">="][self.random.below(4)];
        match self.random.below(5) {
            0 => format!("present {}", self.event()),
            1 => format!("{a} {relation} ({c}) and time > 0.1"),
            2 => {
                let event = self.event();
                format!("present {event} and {a} {relation} ({c})")
            }
            _ => format!("{a} {relation} ({c})"),
        }
    }

    fn continuous_signal(&mut self) {
        let (name, kind) = (self.name(), self.random.below(7));
        let init = self.number(-1.0, 1.0);
        let line = match kind {
            0 => format!("{name} = {}", self.expression()),
            1 => {
                let event = self.event();
                format!("{name} = hold({event}, init = {init})")
            }
            2 => {
                let (event, value) = (self.event(), self.expression());
                format!("{name} = {event} ?? {value}")
            }
            3 => {
                let (rate, event) = (self.expression(), self.event());
                format!("{name}' = {rate} init {init} impulse tanh(post {event}) * 0.3")
            }
            4 => {
                let (rate, event, value) = (self.expression(), self.event(), self.value());
                format!("{name}' = {rate} init {init} reset 0.4 * sin({value}) on {event}")
            }
            _ => format!("{name}' = {} - 0.3 * {name} init {init}", self.expression()),
        };
        self.text.push_str(&line);
        self.text.push('\n');
        self.continuous.push(name);
    }

    fn event_signal(&mut self) {
        let name = self.name();
        let (c, period) = (self.number(-0.7, 0.7), self.number(0.15, 0.8).abs() + 0.05);
        let kind = self.random.below(if self.events.is_empty() { 3 } else { 11 });
        let line = match kind {
            0 => format!("{name} = clock({period}, {}, {c})", self.number(0.0, 0.5).abs()),
            1 => format!("{name} = at({period}, {c})"),
            2 | 3 => {
                let direction = ["rising", "falling", "both"][self.random.below(3)];
                let tolerance = if self.random.often(0.3) { ", 1e-3" } else { "" };
                format!("{name} = cross({}, {c}, {direction}{tolerance})", self.value())
            }
            4 => format!("{name} = delay({}, {period})", self.event()),
            5 => {
                let (a, b) = (self.event(), self.event());
                format!("{name} = {a} ?? {b}")
            }
            6 => {
                let (a, b) = (self.event(), self.event());
                format!("{name} = {a} unless {b}")
            }
            7 | 8 => {
                let (a, b) = (self.expression(), self.event());
                format!("{name} = {a} on {b}")
            }
            9 => format!("{name} = post {}", self.event()),
            _ => {
                let (a, b) = (self.event(), self.event());
                format!("{name} = {a} + {b}")
            }
        };
        self.text.push_str(&line);
        self.text.push('\n');
        self.events.push(name);
    }

    fn flags(&mut self) -> String {
        let mut flags = String::new();
        for (flag, often) in [
            ("preempt", 0.15),
            ("immediate", 0.1),
            ("history", 0.3),
            ("choose", 0.6),
            ("tolerance 1e-4", 0.1),
        ] {
            if self.random.often(often) {
                flags.push_str(flag);
                flags.push(' ');
            }
        }
        flags
    }

    fn modal(&mut self, name: &str) {
        let modes = 2 + self.random.below(2);
        self.text.push_str(&format!("modal {name} {{\nout cont x\n"));
        for mode in 0..modes {
            let (rate, init) = (self.expression(), self.number(-0.5, 0.5));
            self.text
                .push_str(&format!("mode m{mode} {{\nx' = {rate} init {init}\n"));
            if self.random.often(0.4) {
                let period = self.number(0.1, 0.4).abs() + 0.02;
                self.text
                    .push_str(&format!("beat = clock({period})\nn' = 0 impulse beat\n"));
            }
            for _ in 0..1 + self.random.below(2) {
                let own = match self.random.below(6) {
                    0 => self.condition(),
                    1 | 2 => format!("present {}", self.event()),
                    _ if mode % 2 == 0 => "x > 0.4".into(),
                    _ => "x < -0.4".into(),
                };
                let (flags, to) = (self.flags(), (mode + 1) % modes);
                let set = if self.random.often(0.7) {
                    "x := 0.5 * x"
                } else {
                    ""
                };
                self.text
                    .push_str(&format!("when {own} {flags}goto m{to} {{ {set} }}\n"));
            }
            self.text.push_str("}\n");
        }
        self.text.push_str("}\n");
        self.continuous.push(format!("{name}.x"));
    }

    fn enabled(&mut self, name: &str) {
        let (value, condition, event) = (self.expression(), self.condition(), self.event());
        let by = if self.random.often(0.5) {
            format!("gate({condition})")
        } else {
            event
        };
        self.text
            .push_str(&format!("{name} = Part() enabled by {by} {{ u = {value} }}\n"));
        self.events.push(format!("{name}.y"));
    }
}

/// A model that the seed chooses.
pub(crate) fn random_net(seed: u64) -> String {
    let mut net = Net {
        random: Random::new(seed ^ 0x0ac7),
        text: String::new(),
        continuous: Vec::new(),
        events: Vec::new(),
        names: 0,
    };
    net.text.push_str(
        "model random_net\nparam g = 0.7\nactor Part { in cont u  out any y\n k = clock(0.21)\n z' = u init 0.1 impulse 0.2 on k\n y = z + u }\n",
    );
    net.text.push_str("base' = cos(2 * time) - g * base init 0.3\n");
    net.continuous.push("base".into());
    net.event_signal();
    net.event_signal();
    for step in 0..4 + net.random.below(8) {
        match net.random.below(12) {
            0 => net.modal(&format!("m{step}")),
            1 => net.enabled(&format!("p{step}")),
            2..=6 => net.event_signal(),
            _ => net.continuous_signal(),
        }
    }
    if net.random.often(0.6) {
        net.modal("last");
    }
    if net.random.often(0.2) {
        net.text.push_str("tolerances { crossing = 1e-4 }\n");
    }
    net.text.push_str("horizon = 3\n");
    net.text
}
