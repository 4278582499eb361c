//! Bodies of actors, modes and models: ports, equations, integrators, instances, modes, transitions.
//!
//! A statement begins with its word, or is `name = …` or `name' = …`. After a broken one the parser goes on with the
//! next that begins so, at the same level of braces.

use super::ast::{
    Action, Direction, ExprRef, FileKind, FileUse, Formal, InstanceOf, Name, PortKind, Statement,
    StatementKind, TransitionTo,
};
use super::dialect::Dialect;
use super::parser::{Broken, Parsed, Parser};
use super::token::{MOST_MISTAKES, Sign, Token, TokenKind};
use dyverse_diag::{Origin, closest, codes, finding};

/// Words between the guard of a transition and `goto`.
pub(crate) const FLAGS: &[&str] = &[
    "immediate",
    "preempt",
    "history",
    "default",
    "choose",
    "tolerance",
];
/// Words that begin a statement.
const STATEMENTS: &[&str] = &[
    "in",
    "out",
    "var",
    "mode",
    "initial",
    "modal",
    "when",
    "otherwise",
    "from",
    "mechanism",
    "fmu",
    "table",
];

impl Parser<'_> {
    /// `name =` or `name' =`, in an actor model.
    pub(crate) fn equation_begins(&self) -> bool {
        self.dialect == Dialect::Actors
            && self.token().kind == TokenKind::Name
            && !self.is_word_of_language(self.text(self.token()))
            && matches!(
                self.token_ahead(1).kind,
                TokenKind::Sign(Sign::Assign | Sign::Prime)
            )
    }

    /// Whether a word of statements, or an equation, begins here.
    pub(crate) fn statement_begins(&self) -> bool {
        let is_word = |word: &&str| self.at_word(word);
        self.equation_begins() || self.dialect == Dialect::Actors && STATEMENTS.iter().any(is_word)
    }

    /// `{ statement … }`. A broken statement is reported and skipped; the others are kept.
    pub(crate) fn body(&mut self) -> Parsed<Vec<Statement>> {
        if !self.at_sign(Sign::LeftBrace) {
            return Err(self.expected("`{`"));
        }
        self.nested(
            Self::statements,
            "these blocks are nested too deeply",
            "make an actor of a part of them",
        )
    }

    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let open = self.advance().origin;
        let mut statements = Vec::new();
        loop {
            while self.take_sign(Sign::Semicolon) || self.take_sign(Sign::Comma) {}
            if self.at_sign(Sign::RightBrace) || self.at_end() || self.file_item_begins() {
                break;
            }
            let before = self.at;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Broken) => {
                    self.skip_to_statement(before);
                    self.note_lost_words(before);
                }
            }
            if self.diagnostics.len() >= MOST_MISTAKES {
                return Err(Broken);
            }
        }
        let is_cut_off = self.diagnostics.last().is_some_and(|d| d.code() == codes::S006);
        if self.at_end() && is_cut_off {
            return Err(Broken);
        }
        self.expect_closing(Sign::RightBrace, open)?;
        Ok(statements)
    }

    /// What only stands in a file: inside a body it shows that a closing brace was forgotten.
    fn file_item_begins(&self) -> bool {
        let words = self.dialect.file_words();
        self.token().kind == TokenKind::Name && words.contains(&self.text(self.token()))
    }

    fn skip_to_statement(&mut self, before: usize) {
        if self.at == before && !self.at_sign(Sign::LeftBrace) {
            self.advance();
        }
        let mut depth = 0usize;
        while !self.at_end() {
            match self.token().kind {
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) if depth == 0 => return,
                TokenKind::Sign(Sign::RightBrace) => depth -= 1,
                TokenKind::Name if self.file_item_begins() && self.item_certainly_begins() => return,
                TokenKind::Name if depth == 0 && self.at > before && self.statement_begins() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// One statement.
    pub(crate) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.token();
        let word = self.text(start).to_owned();
        let kind = match word.as_str() {
            _ if start.kind != TokenKind::Name => return Err(self.unknown_statement(start)),
            "in" => self.port(Direction::In)?,
            "out" => self.port(Direction::Out)?,
            "var" => self.port(Direction::Var)?,
            "mode" => self.mode(false)?,
            "initial" => self.initial_mode()?,
            "modal" => self.modal()?,
            "when" => self.transition(None)?,
            "otherwise" => self.otherwise(None)?,
            "from" => self.transition_from()?,
            "mechanism" => self.file(FileKind::Mechanism, "the mechanism's name")?,
            "fmu" => self.file(FileKind::Fmu, "the FMU's name")?,
            "table" => self.file(FileKind::Table, "the table's name")?,
            _ if self.equation_begins() => self.in_block(Self::equation)?,
            _ => return Err(self.unknown_statement(start)),
        };
        let origin = start.origin.to(self.previous_origin());
        Ok(Statement { kind, origin })
    }

    /// Runs a part in which a name before `=` is the next statement.
    fn in_block<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.is_in_block, true);
        let result = part(self);
        self.is_in_block = before;
        result
    }

    fn unknown_statement(&mut self, token: Token) -> Broken {
        let word = self.text(token).to_owned();
        if token.kind != TokenKind::Name {
            return self.expected("a statement, such as `x = …`, `in cont F` or `mode m { … }`");
        }
        let finding = finding!(S015 at token.origin, "no statement begins with `{word}`";
            label "expected a statement";
            near &word, STATEMENTS.iter().copied(), "write `name = …`, `name' = …`, or begin with one of: {}", STATEMENTS.join(", "));
        self.diagnostics.push(finding);
        Broken
    }

    /// `in cont F = 0, G`.
    fn port(&mut self, direction: Direction) -> Parsed<StatementKind> {
        self.advance();
        let word = self.token();
        let kind = match self.text(word) {
            "cont" => PortKind::Cont,
            "event" => PortKind::Event,
            "any" => PortKind::Any,
            _ => return Err(self.expected("`cont`, `event` or `any`")),
        };
        self.advance();
        let names = self.in_block(|p| p.formals("a signal's name"))?;
        Ok(StatementKind::Port {
            direction,
            kind,
            names,
        })
    }

    /// `a = 1, b, …`: at least one.
    pub(crate) fn formals(&mut self, what: &str) -> Parsed<Vec<Formal>> {
        let mut formals = Vec::new();
        loop {
            let name = self.name(what)?;
            let default = self
                .take_sign(Sign::Assign)
                .then(|| self.expression())
                .transpose()?;
            formals.push(Formal { name, default });
            if !self.take_sign(Sign::Comma) {
                return Ok(formals);
            }
        }
    }

    fn initial_mode(&mut self) -> Parsed<StatementKind> {
        self.advance();
        if !self.at_word("mode") {
            return Err(self.expected("`mode`"));
        }
        self.mode(true)
    }

    fn mode(&mut self, is_initial: bool) -> Parsed<StatementKind> {
        self.advance();
        let name = self.name("the mode's name")?;
        Ok(StatementKind::Mode {
            name,
            is_initial,
            body: self.body()?,
        })
    }

    fn modal(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let name = self.name("the modal model's name")?;
        Ok(StatementKind::Modal {
            name,
            body: self.body()?,
        })
    }

    /// `x = …`, `x' = …`, `x = Actor(…) { … }`.
    fn equation(&mut self) -> Parsed<StatementKind> {
        let target = self.name("a signal's name")?;
        if self.take_sign(Sign::Prime) {
            return self.integrator(target);
        }
        self.expect_sign(Sign::Assign, "`=`")?;
        let value = self.expression()?;
        if self.at_sign(Sign::LeftBrace) || self.at_word("enabled") {
            let of = self.instance_of(value)?;
            return Ok(StatementKind::Instance { name: target, of });
        }
        Ok(StatementKind::Equation { target, value })
    }

    fn integrator(&mut self, target: Name) -> Parsed<StatementKind> {
        if self.at_sign(Sign::Prime) {
            let name = &target.text;
            let help = format!("write two integrators: `v' = …` and `{name}' = v`");
            self.diagnostics.push(finding!(S005 at self.token().origin,
                "an integrator has one derivative; this is a second";
                label "one `'` too many";
                help help));
            return Err(Broken);
        }
        self.expect_sign(Sign::Assign, "`=` and the derivative")?;
        let derivative = self.expression()?;
        let mut clauses: [(&str, Option<ExprRef>); 3] = [("init", None), ("impulse", None), ("reset", None)];
        while let Some((word, slot)) = clauses.iter_mut().find(|(word, _)| self.at_word(word)) {
            let origin = self.advance().origin;
            let value = self.expression()?;
            if slot.is_some() {
                self.given_twice(word, origin);
            }
            *slot = Some(value);
        }
        let [(_, init), (_, impulse), (_, reset)] = clauses;
        Ok(StatementKind::Integrator {
            target,
            derivative,
            init,
            impulse,
            reset,
        })
    }

    fn given_twice(&mut self, word: &str, origin: Origin) {
        self.diagnostics
            .push(finding!(L015 at origin, "`{word}` is given twice";
                label "given again";
                help "remove one of them"));
    }

    /// The rest of an instance, after what was read as the call of a function.
    fn instance_of(&mut self, call: ExprRef) -> Parsed<InstanceOf> {
        let Some((actor, arguments)) = self.tree.as_instance(call) else {
            return Err(self.expected("an operator or the next statement; a block follows only `Actor(…)`"));
        };
        let enabled = if self.take_word("enabled") {
            if !self.take_word("by") {
                return Err(self.expected("`by` and a signal"));
            }
            Some(self.expression()?)
        } else {
            None
        };
        let bindings = if self.at_sign(Sign::LeftBrace) {
            self.block()?
        } else {
            Vec::new()
        };
        Ok(InstanceOf {
            actor,
            arguments,
            enabled,
            bindings,
        })
    }

    fn transition_from(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let from = Some(self.name("the mode it leaves")?);
        if self.at_word("when") {
            self.transition(from)
        } else if self.at_word("otherwise") {
            self.otherwise(from)
        } else {
            Err(self.expected("`when` and a guard"))
        }
    }

    fn transition(&mut self, from: Option<Name>) -> Parsed<StatementKind> {
        self.advance();
        let guard = Some(self.expression()?);
        self.transition_to(from, guard)
    }

    fn otherwise(&mut self, from: Option<Name>) -> Parsed<StatementKind> {
        self.advance();
        self.transition_to(from, None)
    }

    fn transition_to(&mut self, from: Option<Name>, guard: Option<ExprRef>) -> Parsed<StatementKind> {
        let (mut flags, mut tolerance) = (Vec::new(), None);
        while let Some(word) = FLAGS.iter().find(|word| self.at_word(word)) {
            let origin = self.advance().origin;
            if flags.iter().any(|flag: &Name| flag.text == *word) {
                self.given_twice(word, origin);
            }
            if *word == "tolerance" {
                tolerance = Some(self.expression()?);
            }
            flags.push(Name {
                text: (*word).to_owned(),
                origin,
            });
        }
        if !self.take_word("goto") {
            return Err(self.expected_goto());
        }
        let target = self.name("the mode to go to")?;
        let actions = if self.at_sign(Sign::LeftBrace) {
            self.actions()?
        } else {
            Vec::new()
        };
        Ok(StatementKind::Transition(TransitionTo {
            from,
            guard,
            flags,
            tolerance,
            target,
            actions,
        }))
    }

    fn expected_goto(&mut self) -> Broken {
        let word = self.text(self.token()).to_owned();
        let near = closest(&word, FLAGS.iter().copied().chain(["goto"]));
        let broken = self.expected("`goto` and a mode");
        if let Some(near) = near
            && let Some(last) = self.diagnostics.pop()
        {
            let help = format!("did you mean `{near}`?");
            self.diagnostics.push(last.help(help));
        }
        broken
    }

    /// `{ ball.v := e  out y = e }`.
    fn actions(&mut self) -> Parsed<Vec<Action>> {
        let open = self.advance().origin;
        let mut actions = Vec::new();
        loop {
            while self.take_sign(Sign::Semicolon) || self.take_sign(Sign::Comma) {}
            if self.at_sign(Sign::RightBrace) || self.at_end() || self.starts_item() && !self.at_word("out") {
                break;
            }
            match self.in_block(Self::action) {
                Ok(action) => actions.push(action),
                Err(Broken) => {
                    self.skip_actions();
                    break;
                }
            }
        }
        self.expect_closing(Sign::RightBrace, open)?;
        Ok(actions)
    }

    /// To the closing brace, or to what can only stand after it.
    fn skip_actions(&mut self) {
        while !self.at_end() && !self.at_sign(Sign::RightBrace) && !self.file_item_begins() {
            self.advance();
        }
    }

    fn action(&mut self) -> Parsed<Action> {
        let start = self.token().origin;
        let is_set = !self.take_word("out");
        let path = self.path("a state to set, or `out` and an output")?;
        if is_set {
            self.expect_sign(Sign::Becomes, "`:=`")?;
        } else {
            self.expect_sign(Sign::Assign, "`=`")?;
        }
        let value = self.expression()?;
        let origin = start.to(self.previous_origin());
        Ok(Action {
            is_set,
            path,
            value,
            origin,
        })
    }

    /// `a.b.c`.
    pub(crate) fn path(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut path = vec![self.name(what)?];
        while self.take_sign(Sign::Dot) {
            let token = self.token();
            if token.kind != TokenKind::Name {
                return Err(self.expected("a name after `.`"));
            }
            self.advance();
            path.push(Name {
                text: self.text(token).to_owned(),
                origin: token.origin,
            });
        }
        Ok(path)
    }

    fn file_name(&mut self) -> Parsed<(String, Origin)> {
        let token = self.token();
        if token.kind != TokenKind::Text {
            return Err(self.expected("a file name in double quotes"));
        }
        self.advance();
        let path = self.text(token).trim_matches(['"', '“', '”', '„']).to_owned();
        Ok((path, token.origin))
    }

    /// `= "arm.drbt"(K = 2) { u1 = e }`; a table has neither parameters nor ports.
    fn file(&mut self, kind: FileKind, what: &str) -> Parsed<StatementKind> {
        self.advance();
        let name = self.name(what)?;
        self.expect_sign(Sign::Assign, "`=` and a file name")?;
        let (path, path_origin) = self.file_name()?;
        let has_ports = kind != FileKind::Table;
        let arguments = if has_ports && self.at_sign(Sign::LeftParen) {
            self.field_arguments()?
        } else {
            Vec::new()
        };
        let bindings = if has_ports && self.at_sign(Sign::LeftBrace) {
            self.block()?
        } else {
            Vec::new()
        };
        Ok(StatementKind::File(FileUse {
            kind,
            name,
            path,
            path_origin,
            arguments,
            bindings,
        }))
    }
}
