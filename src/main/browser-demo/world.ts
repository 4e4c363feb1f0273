// What the demo in the browser shares between its two sides: one family and one tutor, both with accounts. The
// rules are those of the model (model/), which a test compares with the database. This file only looks at it the
// way the demo's screens do.
import { commands } from '#model/commands.ts'
import { answerOf, replyTo, type Standing, standingOf, waitsFor } from '#model/kinds.ts'
import { accountWith, figuresOf as figuresOfLines, type Line, typeOf } from '#model/ledger.ts'
import { latest, stateOf } from '#model/months.ts'
import { isMonthClosed } from '#model/places.ts'
import {
  type Answer,
  type Closing,
  type Currency,
  type Entry as ModelEntry,
  isSession,
  type Link,
  type Member,
  monthOf,
  newWorld,
  type Outcome as ModelOutcome,
  otherSide,
  type Person,
  type Proposal,
  type Side,
  type Tutor as ModelTutor,
  type Workspace,
} from '#model/terms.ts'
import { entryFor, seenBy } from '#model/world.ts'

export { type Answer, type Closing, type Link, otherSide, type Side }
type Kind = 'session' | 'payment' | 'hours' | 'opening'

/** A child in the family, with the id of the practice's student. */
interface Child {
  firstName: string
  id: string
  student: string
}
interface Tutor {
  id: string
  hasAccount: boolean
  /** Cents per hour. */
  rate: number | null
}
/** Who acts. */
interface Actor {
  side: Side
}
interface ForChild {
  child: Child | null
}
/** An entry of the model, with its facts and both sides' answers to them. */
export interface Entry {
  id: string
  readonly kind: Kind
  readonly day: string
  readonly minutes: number
  readonly cents: number
  readonly rate: number | null
  readonly usual: number | null
  readonly link: Link | null
  readonly family: ForChild | null
  readonly practice: ForChild | null
  readonly answers: Record<Side, Answer>
  readonly notes: Record<Side, string | null>
  /** What each side's dispute proposes. */
  readonly proposals: Record<Side, Proposal | null>
  /** The other side's reply to each side's dispute. */
  readonly replies: Record<Side, string | null>
  readonly tookPart: Record<Side, boolean>
  readonly standing: Standing
  readonly waitsFor: Record<Side, boolean>
  readonly leaving: Side | null
}
export interface Outcome {
  status: number
  code?: string
  entry?: Entry
}
/** A payment as someone enters it. */
interface Told {
  tutor?: Tutor | undefined
  child: Child | null
  named?: Link | undefined
  day: string
  kind: Kind
  cents: number
  minutes: number | null
  isAnother: boolean
}
/** What a dispute says. */
export interface Said {
  note?: string | null | undefined
  proposal?: Proposal | null
}
interface SessionChanges {
  day?: string
  minutes?: number
  rate?: number | null
  child?: Child
}

export const figuresOf: (lines: Line[], month: string) => ReturnType<typeof figuresOfLines> = figuresOfLines

const each = <Value>(of: (side: Side) => Value): Record<Side, Value> => ({
  family: of('family'),
  practice: of('practice'),
})

const aSide = (side: Side): Member => {
  const owner = { name: side, email: `${side}@example.com`, id: side, isClosed: false }
  const currency: Currency = 'USD'
  return { account: owner, workspace: { id: side, side, owner, currency }, role: 'owner', students: null }
}

export class DemoWorld {
  children: Child[] = []
  tutors: Tutor[] = []
  private readonly world = newWorld()
  private readonly members = { family: aSide('family'), practice: aSide('practice') }
  private readonly views = new WeakMap<ModelEntry, Entry>()

  set today(day: string) {
    this.world.now = Date.parse(`${day}T12:00:00Z`)
  }

  /** Asks to connect the two sides, with all children. */
  ask(id: string, { id: tutorId, rate }: Tutor): Link {
    const { family, practice } = this.members
    const tutor = (workspace: Workspace, own: string): ModelTutor => ({
      id: own,
      workspace,
      email: null,
      rate,
    })
    const people = this.children.map(({ firstName, ...ids }) => {
      const person = (workspace: Workspace, own: string): Person => ({
        id: own,
        workspace,
        firstName,
        rate: null,
      })
      return {
        firstName,
        child: person(family.workspace, ids.id),
        student: person(practice.workspace, ids.student),
      }
    })
    const link: Link = {
      id,
      askedBy: 'family',
      family: family.workspace,
      practice: practice.workspace,
      tutor: tutor(family.workspace, tutorId),
      email: practice.account.email,
      state: 'asked',
      endedBy: null,
      sharedFrom: null,
      people,
      pairs: [],
      closings: [],
    }
    this.world.people.push(...people.flatMap(({ child, student }) => [child, student]))
    this.world.tutors.push(...(link.tutor ? [link.tutor] : []), tutor(practice.workspace, 'self'))
    this.world.members.push(family, practice)
    this.world.workspaces.push(family.workspace, practice.workspace)
    this.world.links.push(link)
    return link
  }

  /** Accepts. Nothing is recorded yet, so there are no pairs to answer. */
  accept(link: Link, _pairs: readonly []): void {
    link.state = 'active'
  }

  seenBy = ({ side }: Actor): Entry[] =>
    seenBy(this.world, this.members[side]).map((entry) => this.viewOf(entry))
  find({ side }: Actor, id: string): Entry | undefined {
    const entry = entryFor(this.world, this.members[side], id)
    return entry && this.viewOf(entry)
  }
  latest = latest
  stateOf = stateOf
  accountWith = (link: Link): Line[] => accountWith(this.world, link)
  /** Whether an entry is on the page of a closed month. */
  isClosed = ({ link, day }: Entry): boolean => link !== null && isMonthClosed(link, monthOf(day))

  log(
    side: Side,
    tutor: Tutor,
    child: Child,
    facts: { day: string; minutes: number; rate: number | null },
  ): Outcome {
    return this.seen(
      commands.logSession(this.world, this.members[side], {
        ...facts,
        person: this.idOf(side, child),
        tutor: side === 'family' ? tutor.id : 'self',
        isAnother: true,
      }),
    )
  }
  change(side: Side, id: string, { child, ...facts }: SessionChanges): Outcome {
    const changes = { ...facts, ...(child && { person: this.idOf(side, child) }) }
    return this.seen(commands.changeSession(this.world, this.members[side], id, false, changes))
  }
  record({ side }: Actor, { tutor, child, named, kind, ...told }: Told): Outcome {
    return this.seen(
      commands.recordPayment(this.world, this.members[side], {
        ...told,
        type: kind === 'session' ? 'payment' : kind,
        person: child && this.idOf(side, child),
        ...(tutor && { tutor: tutor.id }),
        ...(named && { named: named.id }),
      }),
    )
  }
  changePayment(
    { side }: Actor,
    id: string,
    { child, kind, ...told }: Partial<Omit<Told, 'tutor' | 'named'>>,
  ): Outcome {
    return this.seen(
      commands.changePayment(this.world, this.members[side], id, false, {
        ...told,
        ...(kind && kind !== 'session' && { type: kind }),
        ...(child !== undefined && { person: child && this.idOf(side, child) }),
      }),
    )
  }
  giveAnswer({ side }: Actor, id: string, answer: Answer, said: Said = {}): Outcome {
    const { note = null, proposal = null } = said
    return this.seen(commands.giveAnswer(this.world, this.members[side], id, false, answer, note, proposal))
  }
  acceptProposal({ side }: Actor, id: string): Outcome {
    return this.seen(commands.accept(this.world, this.members[side], id, false))
  }
  reply({ side }: Actor, id: string, text: string): Outcome {
    return this.seen(commands.reply(this.world, this.members[side], id, false, text))
  }
  remove({ side }: Actor, id: string): Outcome {
    return this.seen(commands.remove(this.world, this.members[side], id, false))
  }
  keep({ side }: Actor, id: string): Outcome {
    return this.seen(commands.keep(this.world, this.members[side], id, false))
  }
  close = (side: Side, link: Link, month: string): Outcome =>
    this.seen(commands.close(this.world, this.members[side], link, month))
  reopen = (side: Side, link: Link, month: string): Outcome =>
    this.seen(commands.reopen(this.world, this.members[side], link, month))
  withdraw = (side: Side, link: Link, month: string): Outcome =>
    this.seen(commands.withdraw(this.world, this.members[side], link, month))

  private idOf = (side: Side, child: Child) => (side === 'family' ? child.id : child.student)
  private childOf = (person: Person | null | undefined): Child | null =>
    this.children.find(({ id, student }) => id === person?.id || student === person?.id) ?? null
  private seen = ({ entry, ...outcome }: ModelOutcome): Outcome => ({
    ...outcome,
    ...(entry && { entry: this.viewOf(entry) }),
  })
  /** The same view for the same entry, always up to date. Its fields are its own, so a copy keeps its values. */
  private viewOf(entry: ModelEntry): Entry {
    const known = this.views.get(entry)
    if (known) return known
    const { childOf } = this
    const placed = (side: Side) => entry[side] && { child: childOf(entry[side].person) }
    const view: Entry = {
      get id() {
        return entry.id
      },
      set id(id) {
        entry.id = id
      },
      get kind() {
        return typeOf(entry)
      },
      get day() {
        return entry.facts.day
      },
      get minutes() {
        return entry.facts.minutes
      },
      get cents() {
        return isSession(entry) ? 0 : entry.facts.cents
      },
      get rate() {
        return isSession(entry) ? entry.facts.override : null
      },
      get usual() {
        return isSession(entry) ? entry.facts.usual : null
      },
      get link() {
        return entry.link
      },
      get family() {
        return placed('family')
      },
      get practice() {
        return placed('practice')
      },
      get answers() {
        return each((side) => answerOf(entry, side))
      },
      get notes() {
        return each((side) => entry.given[side].note)
      },
      get proposals() {
        return each((side) => (answerOf(entry, side) === 'disputed' ? entry.given[side].proposal : null))
      },
      get replies() {
        return each((side) => replyTo(entry, side))
      },
      get tookPart() {
        return each((side) => entry.given[side].tookPart)
      },
      get standing() {
        return standingOf(entry)
      },
      get waitsFor() {
        return each((side) => waitsFor(entry, side))
      },
      get leaving() {
        return entry.deletion?.by ?? null
      },
    }
    this.views.set(entry, view)
    return view
  }
}
