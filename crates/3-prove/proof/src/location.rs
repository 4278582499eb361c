//! A stay in a location: steps, until the horizon or the claimed events.

use dyverse_enclose::TaylorModel;
use dyverse_formulas::{Condition, Constraint, Evolution};
use dyverse_num::{Interval, Tri};

use crate::frame::States;
use crate::meeting::{Meeting, known, meet};
use crate::path::{Known, Path};
use crate::picard::{GOOD, Lost, Step, is_within};
use crate::proof::{Branch, Stay, StayEnd};
use crate::rejected::{Rejected, Why};
use crate::verify::{Checker, Room, told};
use crate::walk::Met;

/// Steps of one stay at the most.
const MOST_STEPS: usize = 20_000;
/// The end of a step, a little inside what is enclosed.
const END: f64 = 1.0 - 1e-6;
/// How much of a step is tried after one whose residual is too large, and how much of the residual a part of it has if that falls no faster than the step (time itself
/// leaves out far less on a shorter step: a power of it).
const SHORTER: f64 = 0.6;
const NO_FASTER: f64 = 0.8 * SHORTER;
/// Times in one stay that an event is tried again from nearer by.
const MOST_MISSES: usize = 3;
/// The least part of a step that is worth going.
const LEAST: f64 = 1e-3;

/// The stay so far: bounds that claims must contain, and bounds they must not exceed by much.
struct Hulls<'c> {
    inner: Vec<Interval>,
    outer: Vec<Interval>,
    claimed: &'c [(f64, f64)],
    /// The time when the stay began.
    begin: TaylorModel,
    /// Events not shown to be met from where they could be found.
    misses: usize,
}

impl Hulls<'_> {
    fn add(own: &mut [Interval], more: &[Interval]) {
        own.iter_mut().zip(more).for_each(|(a, b)| *a = a.hull(b));
    }
}

/// What a step leads to.
enum Next {
    /// The states at its end.
    Further(States),
    /// The events, each with its states.
    Met(Vec<(usize, States)>),
}

/// Events that come after the horizon, or after another one, for all unknowns: who leaves them out has proved no less.
fn needless(met: &[(usize, States)], horizon: f64) -> usize {
    let times: Vec<Option<TaylorModel>> = met.iter().map(|(_, set)| set.whole().pop()).collect();
    let is_after = |own: &TaylorModel, other: &TaylorModel| (own - other).bound().lo() > 0.0;
    let is_late = |own: &&TaylorModel| {
        own.bound().lo() > horizon || times.iter().flatten().any(|other| is_after(own, other))
    };
    times.iter().flatten().filter(is_late).count()
}

impl<E: Evolution> Checker<'_, E> {
    /// Follows a stay to its end: the events that were met, one for each that is claimed; none at the horizon.
    pub(crate) fn location(
        &mut self,
        place: &E::Place,
        set: &States,
        claimed: &Stay,
    ) -> Result<Vec<Met>, Rejected> {
        let room = self.room(place)?;
        let mut set = set.clone();
        if claimed.hull.len() != set.nominal.len() {
            return Err(self.fail(Why::Form("the claimed hull has not one bound for each state")));
        }
        let mut hulls = Hulls {
            inner: set.hull(),
            outer: set.hull(),
            claimed: &claimed.hull,
            begin: set.nominal_time().clone(),
            misses: 0,
        };
        let mut entering = set.clone();
        entering.facts.extend(&room.held);
        if self.judge(&entering, &room.safe) != Tri::True {
            return Err(self.fail(Why::Property {
                time: set.time().lo(),
            }));
        }
        let branches = claimed.branches();
        let events = self.events(&room, branches)?;
        if let ([event], [branch]) = (events.as_slice(), branches)
            && self.judge(&set, &room.events[*event].when) == Tri::True
        {
            entering
                .facts
                .extend(room.known.iter().map(|known| known.constraint));
            for (number, other) in room.events.iter().enumerate() {
                if number != *event && self.judge(&entering, &other.when) != Tri::False {
                    return Err(self.fail(Why::Unclaimed {
                        event: other.label.clone(),
                        time: set.time().lo(),
                    }));
                }
            }
            self.bound(|| branch.event.clone(), branch.time, set.time(), set.time())?;
            self.hulls(claimed, &hulls)?;
            return Ok(vec![(Some(*event), set)]);
        }
        if matches!(claimed.end, StayEnd::Branches(_)) && branches.is_empty() {
            return Err(self.fail(Why::Form("a stay ends by no event")));
        }
        let at_start = self.at_start(&room, &set);
        for number in 0..MOST_STEPS {
            let known: &[Known] = if number == 0 { &at_start } else { &[] };
            let now = set.time();
            if !now.is_bounded() || now.is_empty() {
                return Err(self.lost(&Lost::Outside, f64::NAN));
            }
            let until = match &claimed.end {
                StayEnd::Horizon => self.horizon,
                // A claim may be any number; the horizon says how far it is worth looking.
                StayEnd::Branches(all) => all
                    .iter()
                    .map(|b| b.time.1)
                    .fold(now.lo(), f64::max)
                    .min(self.horizon.max(now.lo()) * 1.1 + 1.0),
            };
            let left = until - now.lo();
            // All that happens at the horizon still counts.
            if left < 0.0 && branches.is_empty() {
                self.hulls(claimed, &hulls)?;
                return Ok(Vec::new());
            }
            if left <= 0.0 && !branches.is_empty() {
                let event = branches[0].event.clone();
                let what = format!("it did not until {until:.6} s");
                return Err(self.fail(Why::NotMet { event, what }));
            }
            // Where an event may lie before the beginning, a step reaches back that far.
            let first = branches.iter().map(|b| b.time.0).fold(f64::INFINITY, f64::min);
            let back = (4.0 * (now.hi() - first)).clamp(0.0, self.horizon.max(0.0));
            // Beyond the latest time there must be room to show that it has happened.
            let beyond = branches
                .iter()
                .map(|b| 0.5 * (b.time.1 - b.time.0))
                .fold(0.0, f64::max);
            let reach = left.max(back) + beyond.clamp(0.0, left.max(back));
            self.go_on()?;
            let step = self.step(place, &room, &set, reach)?;
            self.found.steps += 1;
            match self.follow(&room, &set, (&step, known), &events, branches, &mut hulls)? {
                Next::Further(next) => set = next,
                Next::Met(all) => {
                    self.hulls(claimed, &hulls)?;
                    self.found.needless_ways += needless(&all, self.horizon);
                    return Ok(all
                        .into_iter()
                        .map(|(event, there)| (Some(event), there))
                        .collect());
                }
            }
        }
        Err(self.fail(Why::Limit("too many steps in one stay")))
    }

    /// What is known when the stay begins, of the formulas that are looked at.
    fn at_start(&self, room: &Room, set: &States) -> Vec<Known> {
        let facts = &set.facts;
        let told = self.evolution.with_pool(|pool| {
            let told = told(pool, room.atoms.keys(), facts);
            known(pool, &told, &room.rate_nodes)
        });
        let whole = set.whole();
        let begun = |mut known: Known| {
            let rate = known.rate.on(&whole, &self.unknowns);
            known.begin = rate.map_or(Interval::ENTIRE, |r| r.bound());
            known
        };
        room.known.iter().cloned().chain(told).map(begun).collect()
    }

    fn events(&self, room: &Room, branches: &[Branch]) -> Result<Vec<usize>, Rejected> {
        let mut found = Vec::new();
        for branch in branches {
            let place = room.events.iter().enumerate().position(|(number, event)| {
                event.label == branch.event
                    && event.when != Condition::Constant(false)
                    && !found.contains(&number)
            });
            found.push(place.ok_or_else(|| self.fail(Why::NoEvent(branch.event.clone())))?);
        }
        Ok(found)
    }

    fn hulls(&self, claimed: &Stay, hulls: &Hulls<'_>) -> Result<(), Rejected> {
        let both = hulls.inner.iter().zip(&hulls.outer);
        for (number, ((inner, outer), claim)) in both.zip(&claimed.hull).enumerate() {
            let states = &self.evolution.variables().states;
            let name = || states.get(number).map_or("time", String::as_str).to_owned();
            self.bound(name, *claim, *inner, inner.hull(outer))?;
        }
        Ok(())
    }

    /// A step that is as long as it can be, up to what is left.
    fn step(&mut self, place: &E::Place, room: &Room, set: &States, left: f64) -> Result<Step, Rejected> {
        let whole = left * (1.0 + 1e-3) / END + 1e-12;
        let last = self.reaches.get(place).copied().unwrap_or(f64::INFINITY);
        let mut reach = whole.min(1.3 * last);
        let (mut good, mut longer) = (GOOD, (f64::INFINITY, f64::INFINITY));
        for _ in 0..60 {
            let step = Step::within(&self.clock, &room.rates, set, &self.unknowns, reach, good);
            match step {
                Ok(step) => {
                    // What was cut short says nothing of what is possible.
                    if reach < whole || reach > last {
                        self.reaches.insert(place.clone(), reach);
                    }
                    return Ok(step);
                }
                // What unknowns leave out of the polynomials falls only as fast as the step: in all it is as much on shorter ones.
                Err(Lost::Residual(left)) if left > NO_FASTER * longer.1 => (reach, good) = longer,
                Err(lost) => {
                    if let Lost::Residual(left) = lost {
                        longer = (reach, left);
                    }
                    reach *= SHORTER;
                    if reach < 1e-9 * (1.0 + left) {
                        return Err(self.lost(&lost, set.time().lo()));
                    }
                }
            }
        }
        Err(self.lost(&Lost::NoContraction, set.time().lo()))
    }

    #[allow(clippy::too_many_arguments)]
    fn follow(
        &self,
        room: &Room,
        set: &States,
        (step, known): (&Step, &[Known]),
        events: &[usize],
        branches: &[Branch],
        hulls: &mut Hulls<'_>,
    ) -> Result<Next, Rejected> {
        let now = set.time();
        // To the horizon, and no further: what happens after it does not matter.
        let left = self.horizon - now.lo();
        let share = if branches.is_empty() {
            (left * (1.0 + 1e-9) + 1e-11) / step.reach
        } else {
            END
        };
        let whole = self.clock.constant(share.min(END));
        let path = Path {
            clock: &self.clock,
            step,
            rates: &room.rates,
            atoms: &room.atoms,
            unknowns: &self.unknowns,
            end: &whole,
            start: 0.0,
            known,
            is_after: false,
            held: &[],
        };
        let first = branches.iter().map(|b| b.time.0).fold(f64::INFINITY, f64::min);
        if branches.is_empty() || first - now.hi() > step.reach {
            return self.further(room, set, &path, hulls);
        }
        // Where each event is, for these polynomials.
        let mut times: Vec<(usize, TaylorModel)> = Vec::new();
        let mut problem = Lost::Outside;
        for (event_number, branch) in events.iter().zip(branches) {
            let guess = (0.5 * (branch.time.0 + branch.time.1) - 0.5 * (now.lo() + now.hi())) / step.reach;
            let mut found = None;
            for (number, guard) in room.guards[*event_number].iter().enumerate() {
                match guard.time(&path, guess) {
                    Ok(time) => {
                        found = Some((number, time));
                        break;
                    }
                    Err(lost) => problem = lost,
                }
            }
            let Some(found) = found else {
                let event = branch.event.clone();
                let what = problem.to_string();
                return self
                    .nearer(
                        room,
                        set,
                        &path,
                        (*event_number, (first - now.hi()) / step.reach),
                        hulls,
                    )
                    .map_err(|_| self.fail(Why::NotMet { event, what }));
            };
            times.push(found);
        }
        let mut missed = None;
        if times.iter().all(|(_, t)| is_within(t)) {
            match self.meetings(room, set, &path, events, branches, &times, hulls) {
                Err(why) if hulls.misses < MOST_MISSES => missed = Some(why),
                found => return found,
            }
            hulls.misses += 1;
        }
        // Too far for this step: a part of the way, the same part for all unknowns.
        let latest = times.iter().map(|(_, t)| t.bound().hi()).fold(0.0, f64::max);
        let nearest = times
            .iter()
            .min_by(|a, b| a.1.centre().total_cmp(&b.1.centre()))
            .map_or(&whole, |(_, t)| t);
        let share = (0.9 * END / latest.max(1.0)).min(0.9);
        let part = (nearest * Interval::point(share)).polynomial();
        let elastic = Path { end: &part, ..path };
        let found = if is_within(&part) && part.bound().lo() > 0.0 {
            self.further(room, set, &elastic, hulls)
        } else {
            self.further(room, set, &path, hulls)
        };
        found.map_err(|why| missed.unwrap_or(why))
    }

    /// The event is not found from here: perhaps nothing happens on the whole step, or on a good part of the way to where it is claimed; from there it is nearer.
    fn nearer(
        &self,
        room: &Room,
        set: &States,
        path: &Path<'_>,
        (event, claimed): (usize, f64),
        hulls: &mut Hulls<'_>,
    ) -> Result<Next, Rejected> {
        let mut found = self.further(room, set, path, hulls);
        for share in [0.9, 0.7, 0.4] {
            let part = share * claimed.min(END);
            if found.is_err() && part > LEAST {
                let end = self.clock.constant(part);
                let shorter = Path { end: &end, ..*path };
                found = self.further(room, set, &shorter, hulls);
            }
        }
        // The same part for all unknowns of what is about the way.
        for guard in &room.guards[event] {
            let Ok(way) = guard.distance(path) else { continue };
            let bound = way.bound();
            if found.is_ok() || bound.lo() <= LEAST || !bound.is_bounded() {
                continue;
            }
            let end = (&way * Interval::point(0.8 / bound.hi().max(1.0))).polynomial();
            if is_within(&end) && end.bound().lo() > 0.0 {
                let shorter = Path { end: &end, ..*path };
                found = self.further(room, set, &shorter, hulls);
            }
        }
        found
    }

    /// No event at all on a path, the property holds, and on to its end.
    fn further(
        &self,
        room: &Room,
        set: &States,
        path: &Path<'_>,
        hulls: &mut Hulls<'_>,
    ) -> Result<Next, Rejected> {
        let now = set.time();
        let at = |u: f64| now.lo() + u * path.end.bound().hi() * path.step.reach;
        for event in &room.events {
            if let Some(u) = path.doubt(&event.when, Tri::False) {
                return Err(self.fail(Why::Unclaimed {
                    event: event.label.clone(),
                    time: at(u),
                }));
            }
        }
        if let Some(u) = path
            .after()
            .before_events(&room.held)
            .doubt(&room.safe, Tri::True)
        {
            return Err(self.fail(Why::Property { time: at(u) }));
        }
        let hull = path.hull(hulls.claimed).map_err(|l| self.lost(&l, now.lo()))?;
        Hulls::add(&mut hulls.inner, &hull);
        Hulls::add(&mut hulls.outer, &hull);
        let next = path.step.set_at(path.clock, set, path.end);
        let next = next.map_err(|l| self.lost(&l, now.lo()))?;
        Ok(Next::Further(next))
    }

    #[allow(clippy::too_many_arguments)]
    fn meetings(
        &self,
        room: &Room,
        set: &States,
        path: &Path<'_>,
        events: &[usize],
        branches: &[Branch],
        times: &[(usize, TaylorModel)],
        hulls: &mut Hulls<'_>,
    ) -> Result<Next, Rejected> {
        let now = set.time();
        let mut met: Vec<Meeting> = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let guard = &room.guards[*event][times[number].0];
            let found = meet(path, set, &room.events[*event].when, guard, &times[number].1);
            met.push(found.map_err(|lost| {
                self.fail(Why::NotMet {
                    event: branches[number].event.clone(),
                    what: lost.to_string(),
                })
            })?);
        }
        // Until one of them has happened nothing else does, and the property holds.
        let mut failure = None;
        for meeting in &met {
            // Times before the beginning do not matter: then to the latest time, for all unknowns.
            let past = meeting.past.bound();
            let latest = self.clock.constant(past.hi().max(0.0));
            let end = if past.lo() > 0.0 { &meeting.past } else { &latest };
            let until = Path { end, ..*path };
            match self.nothing_else(room, &until, events, now) {
                Ok(()) => {
                    let inner = until.hull(hulls.claimed).map_err(|l| self.lost(&l, now.lo()))?;
                    Hulls::add(&mut hulls.inner, &inner);
                    self.outermost(path, &met, hulls);
                    let known: Vec<Vec<Constraint>> = (0..met.len())
                        .map(|own| {
                            let others = met.iter().enumerate().filter(|(number, _)| *number != own);
                            others.filter_map(|(_, m)| m.fact_at(path, &met[own])).collect()
                        })
                        .collect();
                    let sets = met.into_iter().zip(known).map(|(mut m, facts)| {
                        m.set.facts.extend(facts);
                        m.set
                    });
                    return Ok(Next::Met(events.iter().copied().zip(sets).collect()));
                }
                Err(why) => failure = failure.or(Some(why)),
            }
        }
        Err(self.fail(failure.unwrap_or(Why::Form("a stay ends by no event"))))
    }

    fn nothing_else(
        &self,
        room: &Room,
        path: &Path<'_>,
        claimed: &[usize],
        now: Interval,
    ) -> Result<(), Why> {
        let at = |u: f64| now.lo() + u * path.end.bound().hi() * path.step.reach;
        for (number, event) in room.events.iter().enumerate() {
            if claimed.contains(&number) {
                continue;
            }
            if let Some(u) = path.doubt(&event.when, Tri::False) {
                return Err(Why::Unclaimed {
                    event: event.label.clone(),
                    time: at(u),
                });
            }
        }
        match path
            .after()
            .before_events(&room.held)
            .doubt(&room.safe, Tri::True)
        {
            Some(u) => Err(Why::Property { time: at(u) }),
            None => Ok(()),
        }
    }

    /// About where states may be until the latest time by which an event has happened, and twice that window more.
    fn outermost(&self, path: &Path<'_>, met: &[Meeting], hulls: &mut Hulls<'_>) {
        let past = met.iter().map(|m| m.past.bound());
        let Some(latest) = past.min_by(|a, b| a.hi().total_cmp(&b.hi())) else {
            unreachable!("bug: nothing was met");
        };
        let window = (met[0].set.nominal_time() - &hulls.begin).bound().width() / path.step.reach;
        let until = (latest.hi() + 2.0 * window.max(latest.width())).clamp(-4.0, 4.0);
        let end = self.clock.constant(until);
        let longest = Path { end: &end, ..*path };
        Hulls::add(&mut hulls.outer, &longest.extrapolated());
    }
}
