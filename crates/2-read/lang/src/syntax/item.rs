//! Items: `entity …`, `param …`, `force on …` and their like, one function each.

use super::ast::{End, ExprRef, Item, ItemKind, LawScope, Name};
use super::dialect::Dialect;
use super::parser::{Broken, Parsed, Parser};
use super::token::{Sign, Token, TokenKind};
use dyverse_diag::{closest, finding};

impl Parser<'_> {
    /// One item, or a mistake that is reported.
    pub(crate) fn item(&mut self) -> Parsed<()> {
        let start = self.token();
        let mistakes = self.diagnostics.len();
        if self.take_sign(Sign::Semicolon) {
            return Ok(());
        }
        if start.kind == TokenKind::Sign(Sign::RightBrace) {
            self.diagnostics
                .push(finding!(S009 at start.origin, "this `}}` closes nothing";
                    label "no block is open here";
                    help "remove it, or open the block with `{{`"));
            self.advance();
            return Ok(());
        }
        let word = if start.kind == TokenKind::Name {
            self.text(start).to_owned()
        } else {
            String::new()
        };
        let kind = if self.statement_begins() {
            ItemKind::Statement(self.statement()?)
        } else if self.dialect.item_words().contains(&word.as_str()) {
            self.advance();
            self.item_kind(&word)?
        } else {
            return Err(self.unknown_item(start, &word));
        };
        let origin = start.origin.to(self.previous_origin());
        self.tree.items.push(Item { kind, origin });
        if self.diagnostics.len() > mistakes {
            self.tree.damage.items.push(origin);
        }
        Ok(())
    }

    /// An item whose word has been read.
    fn item_kind(&mut self, word: &str) -> Parsed<ItemKind> {
        Ok(match word {
            "system" => ItemKind::System(self.name("the system's name")?),
            "model" => ItemKind::System(self.name("the model's name")?),
            "actor" => self.actor()?,
            "record" => self.record()?,
            "fun" => self.function()?,
            "import" => self.import()?,
            "param" => self.param()?,
            "input" => self.input()?,
            "let" => self.definition()?,
            "entity" => self.entity(false)?,
            "fixed" => {
                if !self.take_word("entity") {
                    return Err(self.expected("`entity`"));
                }
                self.entity(true)?
            }
            "contact" => self.contact()?,
            "no" => self.no_contact()?,
            "force" => self.force()?,
            "moment" => self.moment()?,
            "gravity" => {
                self.take_sign(Sign::Assign);
                ItemKind::Gravity {
                    value: self.expression()?,
                }
            }
            "spring" => {
                let ends = self.ends()?;
                ItemKind::Spring {
                    ends,
                    fields: self.block()?,
                }
            }
            "damper" => {
                let ends = self.ends()?;
                ItemKind::Damper {
                    ends,
                    fields: self.block()?,
                }
            }
            "impacts" => self.impacts()?,
            "tolerances" => ItemKind::Tolerances {
                fields: self.block()?,
            },
            "horizon" => {
                self.take_sign(Sign::Assign);
                ItemKind::Horizon {
                    value: self.expression()?,
                }
            }
            _ => self.property()?,
        })
    }

    fn unknown_item(&mut self, token: Token, word: &str) -> Broken {
        if word.is_empty() {
            return self.expected(match self.dialect {
                Dialect::Bodies => "the beginning of an item, such as `entity` or `param`",
                Dialect::Actors => "the beginning of an item, such as `actor`, `param` or `x = …`",
            });
        }
        let words = self.dialect.item_words();
        let mut finding = finding!(S010 at token.origin, "no item begins with {}", self.describe(token);
            label "expected an item");
        let is_assigned = self.token_ahead(1).kind == TokenKind::Sign(Sign::Assign);
        finding = match closest(word, words.iter().copied()) {
            _ if self.dialect.stranger(word).is_some() => {
                finding.help(self.dialect.stranger(word).unwrap_or_default())
            }
            _ if is_assigned => finding.help(format!(
                "declare it: `param {word} = …` for a constant, `let {word} = …` for a name"
            )),
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help(format!("items begin with one of: {}", words.join(", "))),
        };
        self.diagnostics.push(finding);
        // Step over the word, so that recovery does not stop at a second meaning of it.
        self.advance();
        Broken
    }

    fn import(&mut self) -> Parsed<ItemKind> {
        let token = self.token();
        if token.kind != TokenKind::Text {
            return Err(self.expected("a file name in double quotes"));
        }
        self.advance();
        let path = self.text(token).trim_matches(['"', '“', '”', '„']).to_owned();
        Ok(ItemKind::Import {
            path,
            path_origin: token.origin,
        })
    }

    /// `NAME [in [a, b]] [= e]`, of which at least one.
    fn ranged(&mut self, what: &str) -> Parsed<(Name, Option<ExprRef>, Option<ExprRef>)> {
        let name = self.name(what)?;
        let within = self.take_word("in").then(|| self.expression()).transpose()?;
        let equals = self
            .take_sign(Sign::Assign)
            .then(|| self.expression())
            .transpose()?;
        Ok((name, within, equals))
    }

    fn param(&mut self) -> Parsed<ItemKind> {
        let (name, within, equals) = self.ranged("the parameter's name")?;
        if within.is_none() && equals.is_none() {
            return Err(self.expected("`= value` or `in [low, high]`"));
        }
        Ok(ItemKind::Param { name, within, equals })
    }

    fn input(&mut self) -> Parsed<ItemKind> {
        let (name, within, equals) = self.ranged("the input's name")?;
        Ok(ItemKind::Input { name, within, equals })
    }

    fn definition(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the name to define")?;
        self.expect_sign(Sign::Assign, "`=`")?;
        Ok(ItemKind::Let {
            name,
            value: self.expression()?,
        })
    }

    fn entity(&mut self, fixed: bool) -> Parsed<ItemKind> {
        let name = self.name("the entity's name")?;
        let fixed = self.take_word("fixed") || fixed;
        Ok(ItemKind::Entity {
            name,
            fixed,
            fields: self.block()?,
        })
    }

    fn contact(&mut self) -> Parsed<ItemKind> {
        let origin = self.token().origin;
        let scope = if self.take_word("default") {
            LawScope::Default(origin)
        } else {
            let (first, second) = self.pair()?;
            LawScope::Pair(first, second)
        };
        Ok(ItemKind::Contact {
            scope,
            fields: self.block()?,
        })
    }

    fn pair(&mut self) -> Parsed<(Name, Name)> {
        let first = self.name("an entity")?;
        self.expect_sign(Sign::Comma, "`,` and a second entity")?;
        Ok((first, self.name("a second entity")?))
    }

    fn no_contact(&mut self) -> Parsed<ItemKind> {
        if !self.take_word("contact") {
            return Err(self.expected("`contact`"));
        }
        let (first, second) = self.pair()?;
        Ok(ItemKind::NoContact { first, second })
    }

    fn targets(&mut self) -> Parsed<Vec<Name>> {
        if !self.take_word("on") {
            return Err(self.expected("`on` and an entity"));
        }
        let mut targets = vec![self.name("an entity")?];
        while self.take_sign(Sign::Comma) {
            targets.push(self.name("an entity")?);
        }
        Ok(targets)
    }

    fn force(&mut self) -> Parsed<ItemKind> {
        let targets = self.targets()?;
        let at = self.take_word("at").then(|| self.expression()).transpose()?;
        self.expect_sign(Sign::Assign, "`=` and a vector")?;
        Ok(ItemKind::Force {
            targets,
            at,
            value: self.expression()?,
        })
    }

    fn moment(&mut self) -> Parsed<ItemKind> {
        let targets = self.targets()?;
        self.expect_sign(Sign::Assign, "`=` and a vector")?;
        Ok(ItemKind::Moment {
            targets,
            value: self.expression()?,
        })
    }

    fn ends(&mut self) -> Parsed<(End, End)> {
        let first = self.end()?;
        self.expect_sign(Sign::Comma, "`,` and the other end")?;
        Ok((first, self.end()?))
    }

    fn end(&mut self) -> Parsed<End> {
        if self.at_sign(Sign::LeftParen) {
            return Ok(End::World(self.expression()?));
        }
        let name = self.name("an entity or a point")?;
        let at = self.take_word("at").then(|| self.expression()).transpose()?;
        Ok(End::Entity { name, at })
    }

    fn impacts(&mut self) -> Parsed<ItemKind> {
        let mut words = vec![self.name("an impact policy")?];
        let mut seed = None;
        self.word_of_impacts(&mut words)?;
        if !self.at_sign(Sign::LeftParen) {
            self.word_of_impacts(&mut words)?;
        }
        if self.at_sign(Sign::LeftParen) {
            let open = self.advance().origin;
            if self.at_word("seed") && self.token_ahead(1).kind == TokenKind::Sign(Sign::Assign) {
                self.advance();
                self.advance();
            }
            seed = Some(self.expression()?);
            self.expect_closing(Sign::RightParen, open)?;
            self.word_of_impacts(&mut words)?;
        }
        Ok(ItemKind::Impacts { words, seed })
    }

    /// An order, or that energy may be added; none where the next item begins.
    fn word_of_impacts(&mut self, words: &mut Vec<Name>) -> Parsed<()> {
        if self.token().kind == TokenKind::Name && !self.starts_item() {
            words.push(self.name("an order, or `uncapped`")?);
        }
        Ok(())
    }

    fn property(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the property's name")?;
        self.expect_sign(Sign::Colon, "`:` and a formula")?;
        Ok(ItemKind::Property {
            name,
            formula: self.expression()?,
        })
    }
}
