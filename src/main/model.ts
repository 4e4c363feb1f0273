// A simple model of what families and tutors share: the rules for sessions and connections, with arrays and
// objects instead of a database. model.test.ts compares the server with it.

export type Side = 'family' | 'practice'
type Says = 'none' | 'confirmed' | 'disputed'

export interface Account {
  name: string
  email: string
  id: string
  /** The account was deleted and can still be restored. Once it's erased, it has no workspaces. */
  isClosed: boolean
}
export type Role = 'owner' | 'parent' | 'caregiver' | 'viewer' | 'assistant' | 'none'
export interface Workspace {
  id: string
  side: Side
  owner: Account
}
/** An account's membership in a workspace, which is its only way to access the workspace. */
export interface Member {
  account: Account
  workspace: Workspace
  role: Role
  /** The students that the member is limited to; null for all students. */
  students: Person[] | null
}
/** A child of a family or a student of a practice. */
export interface Person {
  id: string
  workspace: Workspace
  firstName: string
  /** Cents per hour; null if the tutor's rate is used. */
  rate: number | null
}
export interface Tutor {
  id: string
  workspace: Workspace
  /** Null for the practice's own tutor, or if the address is unknown. */
  email: string | null
  rate: number | null
}
export interface Schedule {
  id: string
  workspace: Workspace
  person: Person | null
  tutor: Tutor | null
  rate: number | null
}
/** A side's confirmation or dispute of a session's current facts. */
interface Word {
  says: Says
  /** The reason for a dispute. */
  note: string | null
  /** A sequence number: the later the answer, the higher the number. */
  at: number
  /** True if the side has ever logged or confirmed the session, even if that no longer counts. */
  tookPart: boolean
}
/** A session as one side sees it. */
interface Place {
  workspace: Workspace
  person: Person | null
  tutor: Tutor | null
  scheduled: { schedule: Schedule; day: string } | null
}
export interface Row {
  id: string
  /** A sequence number that reflects the order in which sessions were logged. A copy keeps its number. */
  order: number
  link: Link | null
  family: Place | null
  practice: Place | null
  day: string
  minutes: number
  override: number | null
  usual: number | null
  subject: string | null
  /** HH:MM. */
  start: string | null
  words: Record<Side, Word>
  /** Each side's latest reply. It counts only if the other side's dispute came before it. */
  replies: Record<Side, { text: string; at: number } | null>
  leaving: { by: Side; at: number } | null
  /** True if it looks like a shared session and doesn't count until somebody answers. */
  isHeld: boolean
  /** The caregiver who logged the session; cleared once someone else confirms or changes it. */
  caregiver: Account | null
  /**
   * After a split, the workspace that has the other copy. This copy still includes that workspace's
   * confirmation, so no other workspace can become the other side.
   */
  partedFrom: Workspace | null
}
/** A child, and the practice's student that the child is matched to. */
interface Match {
  firstName: string
  child: Person | null
  student: Person | null
}
export interface Link {
  id: string
  family: Workspace
  tutor: Tutor | null
  email: string
  practice: Workspace | null
  state: 'asked' | 'active' | 'declined' | 'ended'
  endedBy: Side | null
  sharedFrom: string | null
  people: Match[]
  pairs: { family: Row; practice: Row }[]
}
export interface Lesson {
  person: string
  tutor: string
  day: string
  minutes: number
  rate?: number | null
  subject?: string | null
  notes?: string | null
  scheduled?: { schedule: string; day: string }
  isAnother?: boolean
}
export interface Outcome {
  status: number
  code?: string
  row?: Row
  link?: Link
}

export const otherSide = (side: Side): Side => (side === 'family' ? 'practice' : 'family')
const refused = (status: number, code: string): Outcome => ({ status, code })
const NOT_FOUND: Outcome = { status: 404 }
const isOpen = (link: Link) => link.state === 'asked' || link.state === 'active'
const silent = (): Word => ({ says: 'none', note: null, at: 0, tookPart: false })
let said = 0
const say = (row: Row, side: Side, says: Says, note: string | null = null) => {
  const tookPart = row.words[side].tookPart || says === 'confirmed'
  row.words[side] = { says, note, at: (said += 1), tookPart }
}
/** The reply to a side's dispute, if it came after the dispute. */
const answerTo = (row: Row, side: Side) => {
  const reply = row.replies[otherSide(side)]
  return reply && reply.at > row.words[side].at ? reply.text : null
}
const rateOf = (row: Pick<Row, 'override' | 'usual'>) => row.override ?? row.usual
/** In cents, rounded half up. */
export const priceOf = (row: Row): number | null => {
  const rate = rateOf(row)
  return rate === null ? null : Math.floor((rate * row.minutes * 2 + 60) / 120)
}
/** How long a side has to answer if it gets no reminders, as in these tests. */
const ANSWER_TIME = 28 * 86_400_000
/** The time at which all classes start. */
export const CLASS_START = '16:00'
const DAY_MINUTES = 1440
/** The role a member must have to become the owner, and the role that the previous owner gets. */
const NEXT: Record<Side, Role> = { family: 'parent', practice: 'assistant' }

/** True if the member can't see everything in the workspace. */
export const isNarrow = ({ role, students }: Member) => role === 'caregiver' || students !== null

export class World {
  workspaces: Workspace[] = []
  /** In the order they joined. */
  members: Member[] = []
  people: Person[] = []
  tutors: Tutor[] = []
  schedules: Schedule[] = []
  rows: Row[] = []
  links: Link[] = []
  /** Private notes, by workspace and session. */
  notes = new Map<string, string>()
  now = 0
  private logged = 0

  // Lookups.

  memberOf = (account: Account, workspace: Workspace) =>
    this.members.find((one) => one.account === account && one.workspace === workspace)
  membersOf = (workspace: Workspace) => this.members.filter((one) => one.workspace === workspace)
  placeOf = (row: Row, workspace: Workspace): Place | null =>
    row[workspace.side]?.workspace === workspace ? row[workspace.side] : null
  logOf = (workspace: Workspace) => this.rows.filter((row) => this.placeOf(row, workspace))
  rowOf = (workspace: Workspace, id: string) => this.logOf(workspace).find((row) => row.id === id)
  private keeps = ({ students }: Member, person: Person | null) =>
    students === null || (person !== null && students.includes(person))
  /** The sessions a member sees. */
  logFor = (who: Member) =>
    this.logOf(who.workspace).filter((row) =>
      this.keeps(who, this.placeOf(row, who.workspace)?.person ?? null),
    )
  rowFor = (who: Member, id: string) => this.logFor(who).find((row) => row.id === id)
  peopleFor = (who: Member) =>
    this.people.filter((one) => one.workspace === who.workspace && this.keeps(who, one))
  schedulesFor = (who: Member) =>
    this.schedules.filter((one) => one.workspace === who.workspace && this.keeps(who, one.person))
  /**
   * A limited member sees the tutors of the students they're limited to, plus tutors who haven't taught
   * anyone yet.
   */
  tutorsFor = (who: Member) =>
    this.tutors.filter((tutor) => {
      if (tutor.workspace !== who.workspace) return false
      if (!who.students || who.workspace.side === 'practice') return true
      const taught = [
        ...this.rows.flatMap(({ family }) => (family?.tutor === tutor ? [family.person] : [])),
        ...this.schedules.flatMap((one) => (one.tutor === tutor ? [one.person] : [])),
      ]
      return taught.length === 0 || taught.some((person) => this.keeps(who, person))
    })
  personOf = (who: Member, id: string | undefined) => this.peopleFor(who).find((one) => one.id === id)
  tutorOf = (who: Member, id: string | undefined) => this.tutorsFor(who).find((one) => one.id === id)
  linkOf = (who: Member, id: string) => this.links.find((link) => link.id === id && this.seesLink(who, link))
  /** A request that was sent to an address is visible to everyone who owns a practice with that address. */
  seesLink = ({ account, workspace, role }: Member, link: Link) =>
    workspace.side === 'family'
      ? link.family === workspace
      : link.practice === workspace ||
        (link.practice === null &&
          role === 'owner' &&
          isOpen(link) &&
          !link.family.owner.isClosed &&
          link.email === account.email)
  /**
   * The connections that a member's list shows. A practice sees the open ones; a family sees the newest one
   * with each tutor.
   */
  listedLinks = (who: Member) => {
    const seen = this.links.filter((link) => this.seesLink(who, link)).reverse()
    return who.workspace.side === 'practice'
      ? seen.filter(isOpen)
      : seen.filter((link, at) => seen.findIndex((other) => other.tutor === link.tutor) === at)
  }
  isReadOnly = (row: Row, side: Side) =>
    (side === 'family' ? row.link?.practice : row.link?.family)?.owner.isClosed ?? false
  notesOf = (workspace: Workspace, row: Row) => this.notes.get(`${workspace.id} ${row.id}`) ?? null
  private today = () => new Date(this.now).toISOString().slice(0, 10)
  private after = (days: number) => new Date(this.now + days * 86_400_000).toISOString().slice(0, 10)

  /**
   * The connection through which a lesson is shared: its current one if that's still open, otherwise the
   * newest.
   */
  private linkFor(workspace: Workspace, person: Person | null, tutor: Tutor | null, now: Link | null) {
    const open = this.links.filter((link) =>
      workspace.side === 'family'
        ? link.family === workspace && link.tutor === tutor && tutor !== null && isOpen(link)
        : link.practice === workspace && link.state === 'active' && this.childOf(link, person) !== null,
    )
    return open.find((link) => link === now) ?? open.at(-1)
  }
  private childOf = (link: Link, student: Person | null) =>
    (student && link.people.find((match) => match.student === student)?.child) ?? null
  private selfOf = (practice: Workspace) => this.tutors.find((one) => one.workspace === practice) ?? null
  private isPaired = (row: Row) =>
    this.links.some((link) => link.pairs.some((pair) => pair.family === row || pair.practice === row))
  /**
   * True if a workspace can become the other side of a session: no other workspace has been the other side
   * before, and this one doesn't have a copy yet.
   */
  private mayJoin = (row: Row, other: Workspace | null) =>
    (row.partedFrom ?? other) === other && !(other && this.hasCopy(other, row))
  /** True if a workspace has a separate copy of the session. */
  private hasCopy = (workspace: Workspace, row: Row, but?: Row) =>
    this.logOf(workspace).some((other) => other.id === row.id && other !== row && other !== but)

  // Sessions.

  log(who: Member, lesson: Lesson): Outcome {
    const { workspace, role } = who
    const { side } = workspace
    if (role === 'caregiver' && lesson.rate) return refused(422, 'rate_not_yours')
    if (lesson.day > this.after(366)) return refused(422, 'too_far_ahead')
    const person = this.personOf(who, lesson.person)
    if (!person) return refused(422, 'unknown_student')
    const tutor = this.tutorOf(who, lesson.tutor)
    if (!tutor) return refused(422, 'unknown_tutor')
    const schedule = this.schedulesFor(who).find((one) => one.id === lesson.scheduled?.schedule)
    if (lesson.scheduled && !schedule) return refused(422, 'unknown_schedule')
    const scheduled = lesson.scheduled && schedule ? { schedule, day: lesson.scheduled.day } : null
    const isLogged = this.logOf(workspace).some((row) => {
      const own = this.placeOf(row, workspace)?.scheduled
      return own && own.schedule === schedule && own.day === scheduled?.day
    })
    const link = this.linkFor(workspace, person, tutor, null)
    const start = scheduled ? CLASS_START : null
    const theirs = link && !lesson.isAnother ? this.loggedByOther(who, link, lesson, start) : undefined
    if (theirs && !scheduled) return refused(409, 'same_lesson')
    if (isLogged) return refused(409, 'already_logged')
    if (theirs && role === 'caregiver') return refused(409, 'same_lesson')
    const rates = {
      override: lesson.rate ?? null,
      usual: schedule?.rate ?? person.rate ?? tutor.rate,
    }
    if (theirs) return this.takeAsClass(who, theirs, lesson, rates, scheduled)
    const row: Row = {
      id: '',
      order: (this.logged += 1),
      link: null,
      family: null,
      practice: null,
      day: lesson.day,
      minutes: lesson.minutes,
      ...rates,
      subject: lesson.subject ?? null,
      start,
      words: { family: silent(), practice: silent() },
      replies: { family: null, practice: null },
      leaving: null,
      isHeld: false,
      caregiver: role === 'caregiver' ? who.account : null,
      partedFrom: null,
    }
    row[side] = { workspace, person, tutor, scheduled }
    say(row, side, 'confirmed')
    this.rows.push(row)
    this.shareOne(row, side)
    return { status: 201, row }
  }

  /**
   * The first lesson on that day that the other side logged and this side hasn't answered. For a class, skips
   * lessons that are already linked to a class.
   */
  private loggedByOther(
    { workspace }: Member,
    link: Link,
    lesson: Lesson,
    start: string | null,
  ): Row | undefined {
    const { side } = workspace
    // Prefer lessons with the same start time, then lessons without one.
    const closeness = (row: Row) => (start !== null && row.start === start ? 2 : row.start === null ? 1 : 0)
    return this.logOf(workspace)
      .sort((a, b) => closeness(b) - closeness(a) || a.order - b.order)
      .find((row) => {
        const place = this.placeOf(row, workspace)
        return (
          row.link === link &&
          row.day === lesson.day &&
          place?.person?.id === lesson.person &&
          row.words[side].says === 'none' &&
          !row.leaving &&
          !this.isReadOnly(row, side) &&
          !(lesson.scheduled && place.scheduled)
        )
      })
  }

  /**
   * Logging a class confirms the lesson that the other side logged that day. If the facts differ, this side's
   * replace them.
   */
  private takeAsClass(
    { workspace }: Member,
    row: Row,
    lesson: Lesson,
    rates: Pick<Row, 'override' | 'usual'>,
    scheduled: Place['scheduled'],
  ): Outcome {
    const { side } = workspace
    const isOtherRate = rateOf(rates) !== null && rateOf(rates) !== rateOf(row)
    if (isOtherRate) Object.assign(row, rates)
    if (isOtherRate || row.minutes !== lesson.minutes) {
      row.minutes = lesson.minutes
      say(row, otherSide(side), 'none')
    }
    say(row, side, 'confirmed')
    const place = this.placeOf(row, workspace)
    if (place) place.scheduled = scheduled
    row.subject ??= lesson.subject ?? null
    row.start ??= CLASS_START
    row.caregiver = null
    return { status: 201, row }
  }

  change(who: Member, id: string, isStale: boolean, changes: Partial<Lesson>): Outcome {
    const { workspace, role } = who
    const { side } = workspace
    if (role === 'caregiver' && changes.rate) return refused(422, 'rate_not_yours')
    const row = this.rowFor(who, id)
    const place = row && this.placeOf(row, workspace)
    if (!row || !place) return NOT_FOUND
    if (this.isForeign(who, row)) return refused(403, 'not_your_entry')
    if (isStale) return refused(409, 'changed')
    if (changes.day && changes.day > this.after(366)) return refused(422, 'too_far_ahead')
    const { notes, rate, ...others } = changes
    const facts = role === 'caregiver' || rate === undefined ? others : { ...others, rate }
    if (this.isReadOnly(row, side) && Object.keys(facts).length > 0) return refused(409, 'other_closed')
    if (row.isHeld && Object.keys(facts).length > 0) return refused(409, 'held')
    const problem = this.changeFacts(who, row, place, facts)
    if (problem) return problem
    if (Object.keys(facts).length > 0) this.takeOver(who, row)
    if (notes !== undefined) this.note(workspace, row, notes)
    return { status: 200, row }
  }
  /** True if the member is a caregiver and someone else's entry is affected. */
  private isForeign = ({ role, account }: Member, row: Row) =>
    role === 'caregiver' && row.caregiver !== account
  /** Once someone else edits or confirms a caregiver's entry, it no longer counts as the caregiver's. */
  private takeOver({ role, workspace: { side } }: Member, row: Row): void {
    if (role !== 'caregiver' && row.words[side].says === 'confirmed') row.caregiver = null
  }

  private changeFacts(
    who: Member,
    row: Row,
    place: Place,
    facts: Omit<Partial<Lesson>, 'notes'>,
  ): Outcome | undefined {
    const { side } = who.workspace
    const person = facts.person === undefined ? place.person : this.personOf(who, facts.person)
    const tutor = facts.tutor === undefined ? place.tutor : this.tutorOf(who, facts.tutor)
    const isMoved = person !== place.person || tutor !== place.tutor
    if (isMoved) {
      if (person === undefined) return refused(422, 'unknown_student')
      if (tutor === undefined) return refused(422, 'unknown_tutor')
      if (
        row.link &&
        (!person || !tutor || this.linkFor(who.workspace, person, tutor, row.link) !== row.link)
      )
        return refused(422, 'other_connection')
      const hasStudentRate = person?.rate != null || place.person?.rate != null
      if (tutor !== place.tutor || (person !== place.person && hasStudentRate))
        row.usual = person?.rate ?? tutor?.rate ?? null
    }
    const before = [row.day, row.minutes, rateOf(row)]
    row.day = facts.day ?? row.day
    row.minutes = facts.minutes ?? row.minutes
    if (facts.rate !== undefined) row.override = facts.rate
    if (facts.subject !== undefined) row.subject = facts.subject
    const isOther = isMoved || before.join() !== [row.day, row.minutes, rateOf(row)].join()
    if (isOther) {
      say(row, side, 'confirmed')
      say(row, otherSide(side), 'none')
    }
    if (isMoved) {
      Object.assign(place, { person, tutor })
      this.shareOne(row, side)
      this.unpair(row)
    }
    return undefined
  }

  note(workspace: Workspace, row: Row, text: string | null): void {
    const key = `${workspace.id} ${row.id}`
    if (text) this.notes.set(key, text)
    else this.notes.delete(key)
  }

  /**
   * Confirms or disputes a session for a side, or withdraws the side's answer.
   * @param isStale true if the caller's version is out of date
   */
  giveWord(who: Member, id: string, isStale: boolean, says: Says, note: string | null = null): Outcome {
    const { side } = who.workspace
    const row = this.rowFor(who, id)
    if (!row) return NOT_FOUND
    if (!row.link && says === 'confirmed' && this.isDisputed(row)) {
      if (isStale) return refused(409, 'changed')
      for (const one of ['family', 'practice'] as const) say(row, one, one === side ? says : 'none')
      row.caregiver = null
      return { status: 200, row }
    }
    if (!row.link) return refused(409, 'not_shared')
    if (this.isReadOnly(row, side)) return refused(409, 'other_closed')
    if (row.day > this.after(1)) return refused(409, 'too_early')
    const own = row.words[side]
    const stands = own.says === says && own.note === note && answerTo(row, side) === null
    const isPlain = says !== 'disputed' && own.says === says
    if (stands || isPlain) return { status: 200, row }
    if (isStale) return refused(409, 'changed')
    say(row, side, says, note)
    this.takeOver(who, row)
    return { status: 200, row }
  }

  private isDisputed = ({ words }: Row) =>
    words.family.says === 'disputed' || words.practice.says === 'disputed'

  answer(who: Member, id: string, isStale: boolean, text: string): Outcome {
    const { workspace } = who
    const row = this.rowFor(who, id)
    if (!row) return NOT_FOUND
    if (isStale) return refused(409, 'changed')
    const theirs = row.words[otherSide(workspace.side)]
    if (theirs.says !== 'disputed') return refused(409, 'not_disputed')
    if (this.isReadOnly(row, workspace.side)) return refused(409, 'other_closed')
    row.replies[workspace.side] = { text, at: (said += 1) }
    this.takeOver(who, row)
    return { status: 200, row }
  }

  remove(who: Member, id: string, isStale: boolean): Outcome {
    const { workspace } = who
    const { side } = workspace
    const row = this.rowFor(who, id)
    if (!row) return NOT_FOUND
    if (this.isForeign(who, row)) return refused(403, 'not_your_entry')
    if (isStale) return refused(409, 'changed')
    if (this.isReadOnly(row, side)) return refused(409, 'other_closed')
    const needsConsent = row.link && row.words[otherSide(side)].tookPart
    if (!needsConsent || row.leaving?.by === otherSide(side)) {
      this.drop(row)
      return { status: 204 }
    }
    if (!row.leaving) {
      row.leaving = { by: side, at: this.now }
      this.takeOver(who, row)
    } else if (row.leaving.at <= this.now - ANSWER_TIME) {
      this.unpair(row)
      this.split(row)
      const own = this.rowOf(workspace, id)
      if (own) this.drop(own)
      return { status: 204 }
    }
    return { status: 202, code: 'deletion_requested', row }
  }

  keep(who: Member, id: string, isStale: boolean): Outcome {
    const row = this.rowFor(who, id)
    if (!row) return NOT_FOUND
    if (!row.leaving) return refused(409, 'not_asked')
    if (isStale) return refused(409, 'changed')
    if (this.isReadOnly(row, who.workspace.side)) return refused(409, 'other_closed')
    row.leaving = null
    this.takeOver(who, row)
    return { status: 200, row }
  }

  /**
   * Removes a row from every log. Also removes a workspace's notes on it, unless the workspace has a separate
   * copy.
   */
  private drop(row: Row): void {
    this.rows = this.rows.filter((other) => other !== row)
    this.unpair(row)
    for (const place of [row.family, row.practice])
      if (place && !this.rowOf(place.workspace, row.id)) this.note(place.workspace, row, null)
  }
  private unpair(row: Row): void {
    for (const link of this.links) {
      const gone = link.pairs.filter((pair) => pair.family === row || pair.practice === row)
      link.pairs = link.pairs.filter((pair) => !gone.includes(pair))
      for (const { family, practice } of gone)
        for (const other of [family, practice]) if (this.rows.includes(other)) this.release(link, other)
    }
  }
  /** Shares a row that isn't in a pair any more, unless it looks like another session. */
  private release(link: Link, row: Row): void {
    if (row.family && row.practice) return
    row.isHeld = false
    const { family, practice } = link
    if (link.state !== 'active' || !practice || family.owner.isClosed || practice.owner.isClosed) return
    this.pairUp(link, row)
    if (this.isPaired(row) || (link.sharedFrom && row.day < link.sharedFrom)) return
    if (this.mayJoin(row, row.family ? practice : family)) this.shareRow(link, row)
  }
  private shareRow(link: Link, row: Row): void {
    const match = link.people.find(
      (one) =>
        one.child &&
        one.student &&
        (one.child === row.family?.person || one.student === row.practice?.person),
    )
    if (!match || (row.family && row.family.tutor !== link.tutor)) return
    row.link = link
    if (row.family) this.putInPractice(link, row, match.student)
    else this.putInFamily(link, row, match.child)
  }

  // Connections.

  ask(who: Member, tutorId: string, sharedFrom: string | null): Outcome {
    const { workspace } = who
    const tutor = this.tutorOf(who, tutorId)
    if (!tutor) return refused(422, 'unknown_tutor')
    if (!tutor.email) return refused(422, 'no_email')
    if (this.membersOf(workspace).some(({ account }) => account.email === tutor.email))
      return refused(422, 'own_address')
    if (this.links.some((link) => link.tutor === tutor && isOpen(link))) return refused(409, 'already_asked')
    const link: Link = {
      id: '',
      family: workspace,
      tutor,
      email: tutor.email,
      practice: null,
      state: 'asked',
      endedBy: null,
      sharedFrom,
      people: [],
      pairs: [],
    }
    this.links.push(link)
    this.share(link)
    return { status: 201, link }
  }

  /** A practice accepts or declines, and matches children to students. */
  answerLink(
    who: Member,
    id: string,
    state: 'active' | 'declined' | undefined,
    chosen: { firstName: string; student: string | null }[] | undefined,
  ): Outcome {
    const { workspace } = who
    const link = this.linkOf(who, id)
    if (!link) return NOT_FOUND
    if (link.family.owner.isClosed) return refused(409, 'other_closed')
    const matches = chosen ?? this.likelyMatches(link, who)
    const named = matches.flatMap((match) => match.student ?? [])
    if (named.some((student) => !this.personOf(who, student))) return refused(422, 'unknown_student')
    const others = link.people.filter(
      (match) =>
        match.child && match.student && !matches.some(({ firstName }) => firstName === match.firstName),
    )
    if (new Set(named).size < named.length || others.some(({ student }) => named.includes(student?.id ?? '')))
      return refused(422, 'matched_twice')
    const isOnBoth = this.membersOf(workspace).some(({ account }) => this.memberOf(account, link.family))
    if (state && (link.practice || !isOpen(link))) return refused(409, 'changed')
    if (state === 'active' && isOnBoth) return refused(409, 'own_family')
    if (state === 'declined') {
      this.part(link, 'practice', 'declined', workspace)
      return { status: 200, link }
    }
    if (!state && (link.state !== 'active' || !link.practice)) return refused(409, 'not_connected')
    link.state = 'active'
    link.practice = workspace
    for (const { firstName, student } of matches) {
      const match = link.people.find((one) => one.firstName === firstName)
      if (match) this.match(link, match, this.personOf(who, student ?? undefined) ?? null)
    }
    this.share(link)
    return { status: 200, link }
  }

  /** Without a choice, each child is matched with the only free student who has that first name. */
  private likelyMatches(link: Link, who: Member) {
    // A student who's shared with another family is never guessed.
    const taken = this.links
      .filter((one) => one === link || (one.practice === who.workspace && isOpen(one)))
      .flatMap(({ people }) => people.map(({ student }) => student))
    const free = this.peopleFor(who).filter((one) => !taken.includes(one))
    return link.people.map((match) => {
      const named = free.filter((one) => one.firstName === match.firstName)
      const isOnly =
        link.people.filter((one) => !one.student && one.firstName === match.firstName).length === 1
      const student = match.student ?? (named.length === 1 && isOnly ? named[0] : null)
      return { firstName: match.firstName, student: student?.id ?? null }
    })
  }

  /** Matches a child to a different student, including in lessons that are already shared. */
  private match(link: Link, match: Match, student: Person | null): void {
    match.student = student
    if (!student) return
    link.people = link.people.filter((one) => one === match || one.child || one.student !== student)
    for (const row of this.rows)
      if (row.link === link && row.practice && row.family?.person === match.child && match.child)
        row.practice.person = student
  }

  end(who: Member, id: string): Outcome {
    const link = this.linkOf(who, id)
    if (!link || !isOpen(link)) return NOT_FOUND
    this.part(link, who.workspace.side, 'ended', who.workspace)
    return { status: 204, link }
  }

  private part(link: Link, by: Side, state: Link['state'], workspace: Workspace): void {
    const rows = link.pairs.flatMap((pair) => [pair.family, pair.practice])
    Object.assign(link, { state, endedBy: by, pairs: [] })
    for (const row of rows) row.isHeld = false
    if (by === 'practice') link.practice = workspace
    for (const row of this.rows.filter((one) => one.link === link)) this.split(row)
  }

  /** Each side keeps a copy, and the copies are independent from then on. */
  private split(row: Row): void {
    row.link = null
    row.leaving = null
    if (!row.family || !row.practice) return
    const { workspace } = row.family
    const copy = structuredClone({ ...row, family: null, practice: null, caregiver: null, partedFrom: null })
    this.rows.push({ ...copy, practice: row.practice, partedFrom: workspace })
    Object.assign(row, { practice: null, partedFrom: row.practice.workspace })
  }

  /** Adds the other side to a new session, or to one whose people have changed. */
  private shareOne(row: Row, side: Side): void {
    const place = row[side]
    if (!place?.person) return
    const link = this.linkFor(place.workspace, place.person, place.tutor, row.link)
    if (!link) return
    if (row.link !== link) {
      if (link.family.owner.isClosed || link.practice?.owner.isClosed) return
      if (link.sharedFrom && row.day < link.sharedFrom) return
      const other = side === 'family' ? link.practice : link.family
      if (!this.mayJoin(row, other)) return
    }
    row.link = link
    if (side === 'family' && place.person) {
      const match = this.knownChild(link, place.person)
      if (link.practice) this.putInPractice(link, row, match.student)
    } else if (side === 'practice') this.putInFamily(link, row, this.childOf(link, place.person))
  }
  private putInPractice(link: Link, row: Row, person: Person | null): void {
    if (!link.practice) return
    const scheduled = row.practice?.scheduled ?? null
    row.practice = { workspace: link.practice, person, tutor: this.selfOf(link.practice), scheduled }
  }
  private putInFamily(link: Link, row: Row, person: Person | null): void {
    const scheduled = row.family?.scheduled ?? null
    row.family = { workspace: link.family, person, tutor: link.tutor, scheduled }
  }

  /**
   * Adds a child to a connection. If none of the practice's students match, adds a new one, whose id is
   * filled in later.
   */
  private knownChild(link: Link, child: Person): Match {
    let match = link.people.find((one) => one.child === child)
    if (!match) {
      match = { firstName: child.firstName, child, student: null }
      link.people.push(match)
    }
    if (link.practice && !match.student) {
      match.student = { id: '', workspace: link.practice, firstName: child.firstName, rate: null }
      this.people.push(match.student)
    }
    return match
  }

  /** Shares each side's sessions that involve the connection's people, except for possible duplicates. */
  private share(link: Link): void {
    const { family, practice, sharedFrom } = link
    const isLateEnough = (row: Row) => !sharedFrom || row.day >= sharedFrom
    const ofFamily = this.logOf(family).filter(
      (row) => !row.practice && row.family?.tutor === link.tutor && row.family?.person,
    )
    for (const row of ofFamily) if (row.family?.person) this.knownChild(link, row.family.person)
    if (practice) {
      for (const match of link.people) if (match.child) this.knownChild(link, match.child)
      this.pairUp(link)
    }
    for (const row of ofFamily) {
      if (row.link === link) row.link = null
      if (!isLateEnough(row) || this.isPaired(row) || !this.mayJoin(row, practice)) continue
      row.link = link
      const match = link.people.find((one) => one.child === row.family?.person)
      this.putInPractice(link, row, match?.student ?? null)
    }
    if (!practice) return
    for (const row of this.rows) if (row.link === link && !row.practice) row.link = null
    for (const row of this.logOf(practice)) {
      const child = this.childOf(link, row.practice?.person ?? null)
      if (row.family || !child || !isLateEnough(row) || this.isPaired(row) || !this.mayJoin(row, family))
        continue
      row.link = link
      this.putInFamily(link, row, child)
    }
    for (const row of this.rows) {
      const match =
        row.link === link && link.people.find((one) => one.child && one.child === row.family?.person)
      if (match && row.practice?.person) row.practice.person = match.student
    }
  }

  /** True if a session can be half of a pair: it's only in its own log, or shared and nobody asks to delete it. */
  private mayPair = (link: Link, row: Row, other: Workspace) =>
    row.family && row.practice
      ? row.link === link && !row.leaving
      : (row.link ?? link) === link && (row.partedFrom ?? other) === other

  /**
   * Pairs copies of the same session first, and then sessions for the same child on the same day. Among
   * those, the closest durations come first, then the sessions logged earliest. Each row is used only once.
   * With `own`, only pairs that row.
   */
  private pairUp(link: Link, own?: Row): void {
    const { family, practice, sharedFrom } = link
    if (!practice) return
    const candidates = this.logOf(family).flatMap((f) =>
      this.logOf(practice)
        .filter((p) => {
          const match = link.people.find((one) => one.child && one.child === f.family?.person)
          if (f === p || (f.practice && p.family) || f.family?.tutor !== link.tutor) return false
          if (own && f !== own && p !== own) return false
          if (!match?.student || p.practice?.person !== match.student) return false
          if (!this.mayPair(link, f, practice) || !this.mayPair(link, p, family)) return false
          if (f.id === p.id) return true
          if (this.hasCopy(practice, f) || this.hasCopy(family, p)) return false
          return f.day === p.day && (!sharedFrom || f.day >= sharedFrom)
        })
        .map((p) => ({ family: f, practice: p })),
    )
    // The sort is stable, so pairs that are equally good stay in the order in which they were logged: first
    // by the family's row, then by the practice's.
    const isCopy = (pair: { family: Row; practice: Row }) => pair.family.id === pair.practice.id
    const apart = (pair: { family: Row; practice: Row }) =>
      isCopy(pair)
        ? -2 * DAY_MINUTES
        : pair.family.start !== null && pair.family.start === pair.practice.start
          ? Math.abs(pair.family.minutes - pair.practice.minutes) - DAY_MINUTES
          : Math.abs(pair.family.minutes - pair.practice.minutes)
    for (const pair of candidates.sort((a, b) => apart(a) - apart(b)))
      if (!this.isPaired(pair.family) && !this.isPaired(pair.practice)) {
        link.pairs.push(pair)
        const held = pair.family.practice ? pair.practice : pair.practice.family ? pair.family : null
        if (held) held.isHeld = true
      }
  }

  /** Records whether two sessions are the same lesson. If so, the lesson gets the family's facts. */
  answerPairs(who: Member, id: string, pairs: Link['pairs'], isSame: boolean): Outcome {
    const link = this.linkOf(who, id)
    if (!link) return NOT_FOUND
    if (this.isReadOnly({ link } as Row, who.workspace.side)) return refused(409, 'other_closed')
    const open = pairs.filter((pair) => link.pairs.includes(pair) && link.state === 'active')
    if (!isSame && open.some((pair) => pair.family.id === pair.practice.id)) return refused(409, 'copies')
    for (const pair of open) {
      link.pairs = link.pairs.filter((other) => other !== pair)
      if (pair.family.isHeld || pair.practice.isHeld) this.answerHeld(link, pair, isSame)
      else if (isSame) this.merge(link, pair.family, pair.practice)
      else this.shareBoth(link, pair.family, pair.practice)
    }
    return { status: 200 }
  }
  /** If a held row is the same lesson as a shared one, the shared one stays, with the family's facts. */
  private answerHeld(link: Link, { family, practice }: Link['pairs'][number], isSame: boolean): void {
    const side = family.isHeld ? 'family' : 'practice'
    const [held, shared] = side === 'family' ? [family, practice] : [practice, family]
    held.isHeld = false
    if (!isSame) return this.shareRow(link, held)
    const isEqual =
      held.day === shared.day && held.minutes === shared.minutes && rateOf(held) === rateOf(shared)
    if (side === 'family' && !isEqual) {
      const { day, minutes, override, usual } = held
      Object.assign(shared, { day, minutes, override, usual })
      say(shared, 'practice', 'none')
    }
    if (side === 'family' || isEqual) say(shared, side, 'confirmed')
    shared.subject ??= held.subject
    shared.start ??= held.start
    shared.caregiver = null
    const [own, place] = [held[side], shared[side]]
    if (own && place) {
      place.scheduled ??= own.scheduled
      const notes = [this.notesOf(own.workspace, shared), this.notesOf(own.workspace, held)]
      this.rows = this.rows.filter((row) => row !== held)
      this.note(own.workspace, held, null)
      this.note(own.workspace, shared, notes.filter(Boolean).join('\n') || null)
    }
  }
  private shareBoth(link: Link, f: Row, p: Row): void {
    f.link = link
    p.link = link
    const [child, student] = [f.family?.person ?? null, p.practice?.person ?? null]
    this.putInPractice(link, f, student)
    this.putInFamily(link, p, child)
  }
  /** Merges two rows. Each side keeps its confirmation, but the practice's is reset if the facts differ. */
  private merge(link: Link, f: Row, p: Row): void {
    const isEqual = f.day === p.day && f.minutes === p.minutes && rateOf(f) === rateOf(p)
    const tookPart = f.words.practice.tookPart || p.words.practice.tookPart
    f.words.practice = { ...(isEqual ? p.words.practice : silent()), tookPart }
    f.replies.practice = p.replies.practice
    f.link = link
    f.practice = p.practice
    f.subject ??= p.subject
    f.start ??= p.start
    f.caregiver = null
    const notes = p.practice && this.notesOf(p.practice.workspace, p)
    this.rows = this.rows.filter((row) => row !== p)
    if (p.practice && f.id !== p.id) {
      this.note(p.practice.workspace, p, null)
      this.note(p.practice.workspace, f, notes)
    }
  }

  // People, tutors, members.

  /** Deletes a child or a student. Their sessions stay, without a name. */
  removePerson(who: Member, id: string): Outcome {
    const person = this.personOf(who, id)
    if (!person) return NOT_FOUND
    this.people = this.people.filter((one) => one !== person)
    for (const one of this.schedules) if (one.person === person) one.person = null
    for (const one of this.members) one.students = one.students?.filter((other) => other !== person) ?? null
    for (const row of this.rows)
      for (const place of [row.family, row.practice]) if (place?.person === person) place.person = null
    for (const link of this.links)
      for (const match of link.people) {
        if (match.child === person) match.child = null
        if (match.student === person) match.student = null
      }
    return { status: 204 }
  }
  /** Splits everything that was shared with a family's tutor, and then deletes the tutor. */
  removeTutor(who: Member, id: string): Outcome {
    const { workspace } = who
    const tutor = this.tutorOf(who, id)
    if (!tutor) return NOT_FOUND
    for (const one of this.schedules) if (one.tutor === tutor) one.tutor = null
    for (const link of this.links.filter((one) => one.tutor === tutor)) {
      if (isOpen(link)) this.part(link, 'family', 'ended', workspace)
      link.tutor = null
    }
    this.tutors = this.tutors.filter((one) => one !== tutor)
    for (const row of this.rows) if (row.family?.tutor === tutor) row.family.tutor = null
    return { status: 204 }
  }
  /**
   * Refuses a new member who's on the other side of an open connection, or whose address received the request
   * to connect.
   */
  join(account: Account, workspace: Workspace, role: Role, students: Person[] | null): Outcome {
    const isAcross = this.links.some(
      (link) =>
        isOpen(link) &&
        ((link.family === workspace &&
          (link.practice ? this.memberOf(account, link.practice) : link.email === account.email)) ||
          (link.practice === workspace && this.memberOf(account, link.family))),
    )
    if (isAcross) return refused(409, 'both_sides')
    this.members.push({ account, workspace, role, students })
    return { status: 200 }
  }
  leave(member: Member): void {
    this.members = this.members.filter((one) => one !== member)
  }
  /**
   * Makes a member the owner. The member needs access to all students and has to be a parent or, in a
   * practice, an assistant.
   */
  handOver(by: Member, heir: Member | undefined): Outcome {
    if (by.role !== 'owner') return refused(403, 'owner_only')
    if (heir?.workspace !== by.workspace) return NOT_FOUND
    if (heir === by) return { status: 200 }
    if (heir.account.isClosed) return refused(409, 'account_closed')
    if (heir.role !== NEXT[by.workspace.side] || heir.students) return refused(409, 'not_an_heir')
    this.makeOwner(by, heir)
    return { status: 200 }
  }
  private makeOwner(former: Member, heir: Member): void {
    former.role = heir.role
    heir.role = 'owner'
    heir.workspace.owner = heir.account
  }

  /**
   * Erases an account. Each of its workspaces goes to the parent who has been a member the longest,
   * preferably one whose account isn't deleted. If there's no parent, the workspace is erased too.
   */
  erase(account: Account): void {
    for (const own of this.members.filter((one) => one.account === account && one.role === 'owner')) {
      const heirs = this.membersOf(own.workspace).filter(
        ({ role, students }) => role === 'parent' && !students,
      )
      const heir = heirs.find((one) => !one.account.isClosed) ?? heirs[0]
      if (heir) this.makeOwner(own, heir)
      else this.eraseWorkspace(own.workspace)
    }
    this.members = this.members.filter((one) => one.account !== account)
    for (const row of this.rows) if (row.caregiver === account) row.caregiver = null
  }
  /** Before erasing the workspace, splits everything it shared, so that the other side keeps its copies. */
  private eraseWorkspace(workspace: Workspace): void {
    const isElsewhere = (one: { workspace: Workspace }) => one.workspace !== workspace
    const isOwn = (link: Link) => link.family === workspace || link.practice === workspace
    for (const row of this.rows.filter(({ link }) => link && isOwn(link))) this.split(row)
    for (const { pairs } of this.links.filter(isOwn))
      for (const row of pairs.flatMap((pair) => [pair.family, pair.practice])) row.isHeld = false
    this.links = this.links.filter((link) => !isOwn(link))
    this.rows = this.rows.filter((row) => !this.placeOf(row, workspace))
    this.people = this.people.filter(isElsewhere)
    this.tutors = this.tutors.filter(isElsewhere)
    this.schedules = this.schedules.filter(isElsewhere)
    this.members = this.members.filter(isElsewhere)
    this.workspaces = this.workspaces.filter((one) => one !== workspace)
  }

  // Members' views.

  /** A session as a member sees it. Caregivers don't see amounts or dispute notes. */
  see(who: Member, row: Row) {
    const { workspace } = who
    const { side } = workspace
    const isPlain = who.role === 'caregiver'
    const place = this.placeOf(row, workspace)
    const [own, other] = [row.words[side], row.words[otherSide(side)]]
    const disputing = [otherSide(side), side].find((one) => row.words[one].says === 'disputed')
    const dollars = (amount: number | null) => (isPlain || amount === null ? null : amount / 100)
    return {
      id: row.id,
      student_id: place?.person?.id ?? null,
      tutor_id: place?.tutor?.id ?? null,
      date: row.day,
      duration: row.minutes / 60,
      hourly_rate: dollars(row.override),
      default_rate: dollars(row.usual),
      effective_rate: dollars(rateOf(row)),
      total_amount: dollars(priceOf(row)),
      subject: row.subject,
      start_time: row.start,
      notes: this.notesOf(workspace, row),
      status: disputing ? 'disputed' : 'completed',
      verified_by_tutor: own.says === 'confirmed' && other.says === 'confirmed',
      connection_id: row.link?.id ?? null,
      is_shared: row.link !== null,
      own_confirmation: own.says,
      other_confirmation: other.says,
      dispute_note: disputing && !isPlain ? row.words[disputing].note : null,
      answer_note: disputing && !isPlain ? answerTo(row, disputing) : null,
      deletion_asked_by: row.leaving && (row.leaving.by === side ? 'you' : 'other'),
      is_read_only: this.isReadOnly(row, side) || this.isForeign(who, row),
      schedule_id: place?.scheduled?.schedule.id ?? null,
      occurrence_date: place?.scheduled?.day ?? null,
    }
  }
  /**
   * A month's totals as a member sees them. Disputed sessions and those that one side asked to delete don't
   * count.
   */
  month(who: Member, month: string) {
    const sums = { total: 0, verified: 0, waiting: 0, disputed: 0, own: 0 }
    for (const row of this.logFor(who)) {
      if (!row.day.startsWith(month) || row.leaving || row.isHeld) continue
      const seen = this.see(who, row)
      const amount = who.role === 'caregiver' ? 0 : (priceOf(row) ?? 0)
      const standing = seen.verified_by_tutor
        ? 'verified'
        : seen.status === 'disputed'
          ? 'disputed'
          : row.link
            ? 'waiting'
            : 'own'
      sums[standing] += amount
      if (standing !== 'disputed') sums.total += amount
    }
    return sums
  }
}
