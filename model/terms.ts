// The model of what families and tutors share, as arrays and objects instead of a database. The files of this
// folder specify the rules of an agreement (agreement.ts), the facts of each kind (kinds.ts, sessions.ts,
// payments.ts), and what two sides see. agreement.test.ts compares the server with them after random steps.
// The words are those of docs/glossary.md. This file has the things that they're about.

export type Side = 'family' | 'practice'
/** What one side says about one facts version of an entry. */
export type Answer = 'none' | 'confirmed' | 'disputed'
export type Currency = 'USD' | 'EUR'
export type Role = 'owner' | 'parent' | 'caregiver' | 'viewer' | 'assistant' | 'none'

export interface Account {
  name: string
  email: string
  id: string
  /** The account was deleted and can still be restored. Once it's erased, it has no workspaces. */
  isClosed: boolean
}
export interface Workspace {
  id: string
  side: Side
  owner: Account
  currency: Currency
}
/** An account's membership in a workspace, which is its only way to access the workspace. */
export interface Member {
  account: Account
  workspace: Workspace
  role: Role
  /** The students that the member is limited to; null for all students. */
  students: Person[] | null
}
/** The emailed page of one side of one connection. */
export interface LinkCaller {
  link: Link
  side: Side
}
/** Who acts. */
export type Caller = Member | LinkCaller

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

/** An entry as one side has it. */
export interface Place {
  workspace: Workspace
  person: Person | null
  tutor: Tutor | null
  /** For a session: the class that it was logged for. */
  scheduled: { schedule: Schedule; day: string } | null
}
/** Facts of an entry as they should be, by name, or that it should go. */
export type Proposal = Record<string, string | number | null> | 'removal'
/** A side's answer, and the facts version that it was given on. */
export interface Given {
  answer: Answer
  version: number
  /** The reason for a dispute. */
  note: string | null
  /** What a dispute proposes: other facts, or that the entry should go. */
  proposal: Proposal | null
  /** A sequence number: the later the answer, the higher the number. */
  at: number
  /** Whether the side has ever recorded or confirmed the entry, even if that no longer counts. */
  tookPart: boolean
}
export interface SessionFacts {
  day: string
  minutes: number
  /** Cents per hour: this session's own rate, and the usual one when it was logged. */
  override: number | null
  usual: number | null
}
export type PaymentType = 'payment' | 'hours' | 'opening'
export interface PaymentFacts {
  day: string
  type: PaymentType
  cents: number
  /** The time that was bought; 0 unless the type is hours. */
  minutes: number
}
interface AnyEntry {
  id: string
  link: Link | null
  /** Null for a side that doesn't have the entry, or that has no account. */
  family: Place | null
  practice: Place | null
  /** What two sides share is in the family's currency. A copy keeps it. */
  currency: Currency
  /** The facts version. */
  version: number
  given: Record<Side, Given>
  /** Each side's latest reply. It counts only if the other side's dispute came before it. */
  replies: Record<Side, { text: string; at: number } | null>
  deletion: { by: Side; at: number } | null
  /**
   * After a split, who has the other copy: a workspace, or the side without an account of a connection. This
   * copy still has that side's answer, so nobody else can become the other side.
   */
  partedFrom: Workspace | Link | null
}
export interface Session extends AnyEntry {
  kind: 'session'
  facts: SessionFacts
  /** The order in which sessions were logged. A copy keeps its number. */
  order: number
  subject: string | null
  /** HH:MM. */
  start: string | null
  /** Whether it looks like a shared session, and doesn't count until somebody answers. */
  isHeld: boolean
  /** The caregiver who logged it; cleared once someone else confirms or changes it. */
  caregiver: Account | null
}
export interface Payment extends AnyEntry {
  kind: 'payment'
  facts: PaymentFacts
}
/** Something that two sides can agree on. */
export type Entry = Session | Payment

/** A child, and the practice's student that the child is matched to. */
export interface Match {
  firstName: string
  child: Person | null
  student: Person | null
}
/** Two sessions that may be the same lesson. */
export interface Pair {
  family: Session
  practice: Session
}
/** One request to close a month. The latest determines the month's state. */
export interface Closing {
  month: string
  state: 'asked' | 'closed' | 'reopened'
  by: Side
  page: Page | null
}
/** A closed month's page: a line for each entry, and the figures. */
interface Page {
  lines: Map<string, string>
  figures: Figures
}
/** An account's figures for a month, in cents, and the minutes left of those that were bought. */
export interface Figures {
  carriedOver: number
  sessions: number
  covered: number
  other: number
  paid: number
  balance: number
  onItsWay: number
  left: number
}
/** A connection. The side that was asked has no workspace until an account accepts. */
export interface Link {
  id: string
  askedBy: Side
  family: Workspace | null
  practice: Workspace | null
  /** The family's tutor; null if the tutor was deleted, or a practice asked. */
  tutor: Tutor | null
  /** The address that was asked. */
  email: string
  state: 'asked' | 'active' | 'declined' | 'ended'
  endedBy: Side | null
  sharedFrom: string | null
  people: Match[]
  pairs: Pair[]
  closings: Closing[]
}

export interface World {
  workspaces: Workspace[]
  /** In the order they joined. */
  members: Member[]
  people: Person[]
  tutors: Tutor[]
  schedules: Schedule[]
  /** In the order they were made; a copy counts as new. */
  entries: Entry[]
  links: Link[]
  /** Private notes, by workspace and session. */
  notes: Map<string, string>
  now: number
  /** How many answers and replies were given, and how many sessions logged. */
  answers: number
  logged: number
}
export const newWorld = (): World => ({
  workspaces: [],
  members: [],
  people: [],
  tutors: [],
  schedules: [],
  entries: [],
  links: [],
  notes: new Map(),
  now: 0,
  answers: 0,
  logged: 0,
})

/** What a command does: an HTTP status, with a code if it refuses or asks first. */
export interface Outcome {
  status: number
  code?: string
  entry?: Entry
  link?: Link
  /** How many entries of each kind keep a month from being closed. */
  open?: { session: number; payment: number }
}
export const done = (more: Partial<Outcome> = {}): Outcome => ({ status: 200, ...more })
export const refused = (status: number, code: string): Outcome => ({ status, code })
export const NOT_FOUND: Outcome = { status: 404 }
export const OTHER_CLOSED = refused(409, 'other_closed')

export const SIDES = ['family', 'practice'] as const
export const otherSide = (side: Side): Side => (side === 'family' ? 'practice' : 'family')
export const isLink = (caller: Caller): caller is LinkCaller => 'link' in caller
export const sideOf = (caller: Caller): Side => (isLink(caller) ? caller.side : caller.workspace.side)
export const isOpen = ({ state }: Link): boolean => state === 'asked' || state === 'active'
export const isSession = (entry: Entry): entry is Session => entry.kind === 'session'
export const isPayment = (entry: Entry): entry is Payment => entry.kind === 'payment'
export const monthOf = (day: string): string => day.slice(0, 7)
/** The day that many days from now. */
export const dayAfter = ({ now }: World, days: number): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10)
