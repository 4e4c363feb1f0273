// The people in all example data: a family with its three tutors, and the other students of one of them.
import type { Side } from '#features/access/role.ts'
import type { Method } from '#features/payments/payment.ts'

/** Whoever does something in the story: one of the two sides with an account, or a tutor without one. */
export type Actor = Side | 'Marcus' | 'Yuki'

interface Person {
  name: string
  email: string
  role: 'parent' | 'tutor'
}
export const PEOPLE: Record<Side, Person> = {
  family: { name: 'Dana Whitfield', email: 'family@example.com', role: 'parent' },
  practice: { name: 'Ingrid Halvorsen', email: 'tutor@example.com', role: 'tutor' },
}

/** A child, with the name and notes in each side's records. */
interface Child {
  firstName: string
  names: Partial<Record<Side, string>>
  grade: string
  notes?: Partial<Record<Side, string>>
}
export const CHILDREN: readonly Child[] = [
  {
    firstName: 'Maya',
    names: { family: 'Maya Whitfield', practice: 'Maya W.' },
    grade: '8th Grade',
    notes: {
      family: 'Likes worked examples before exercises.',
      practice: 'Fractions are solid, but word problems need practice.',
    },
  },
  { firstName: 'Noah', names: { family: 'Noah Whitfield', practice: 'Noah W.' }, grade: '5th Grade' },
  {
    firstName: 'Ella',
    names: { family: 'Ella Whitfield' },
    grade: 'Sophomore',
    notes: { family: 'SAT in the spring.' },
  },
  { firstName: 'Oliver', names: { practice: 'Oliver Brandt' }, grade: '7th Grade' },
  {
    firstName: 'Priya',
    names: { practice: 'Priya Raman' },
    grade: 'Junior',
    notes: { practice: 'Starting calculus in January.' },
  },
  { firstName: 'Sam', names: { practice: 'Sam Okafor' }, grade: '10th Grade' },
]

/** The family's tutors. Ingrid has an account; the others answer by email. The rate is in dollars per hour. */
export const INGRID = {
  firstName: 'Ingrid',
  name: PEOPLE.practice.name,
  email: PEOPLE.practice.email,
  phone: '555-0142',
  rate: 52,
  subjects: ['Math', 'Reading'],
}
export const TUTORS: readonly (typeof INGRID)[] = [
  INGRID,
  {
    firstName: 'Marcus',
    name: 'Marcus Bell',
    email: 'marcus.bell@example.com',
    phone: '555-0177',
    rate: 40,
    subjects: ['English', 'Reading'],
  },
  {
    firstName: 'Yuki',
    name: 'Yuki Tanaka',
    email: 'yuki.tanaka@example.com',
    phone: '555-0119',
    rate: 68,
    subjects: ['SAT prep', 'Chemistry'],
  },
]

/** A recurring class. */
export interface Class {
  child: string
  subject: string
  minutes: number
  start: string
  /** How many days ago the latest lesson was. */
  before: number
  isBiWeekly?: boolean
  /** How many weeks ago it began, if that's less than a year. */
  weeks?: number
  /** True for a class that's over and has no lessons. */
  isOver?: boolean
}

/** The lessons that are paid for together. */
export interface Account {
  /** The tutor that the family pays. For a student that only the practice has, the student. */
  with: string
  /** Who records lessons and payments. */
  by: Side
  /** Who confirms them. Undefined if they're only in one side's records. */
  answeredBy?: Actor
  rate: number
  method: Method
  /** How far this month's latest lessons are, latest first. All others are agreed on. */
  latest: readonly ('not logged' | 'waiting' | 'sent back')[]
  classes: readonly Class[]
}

const MATH = { child: 'Maya', subject: 'Math', minutes: 60, start: '16:30' }
const READING = { child: 'Noah', subject: 'Reading', minutes: 45, start: '15:30' }

/** The account of the two sides. Both of them log its lessons. */
export const SHARED: Account = {
  with: 'Ingrid',
  by: 'family',
  answeredBy: 'practice',
  rate: INGRID.rate,
  method: 'transfer',
  latest: ['waiting', 'waiting', 'waiting', 'sent back'],
  classes: [
    { ...MATH, before: 0 },
    { ...READING, before: 1 },
    { ...MATH, before: 3, weeks: 14 },
    { ...READING, before: 5, weeks: 14 },
  ],
}
const emailed = (tutor: 'Marcus' | 'Yuki', rate: number) =>
  ({ with: tutor, by: 'family', answeredBy: tutor, rate }) as const
const own = (student: string, one: Omit<Class, 'child'>): Account => ({
  with: student,
  by: 'practice',
  rate: INGRID.rate,
  method: 'transfer',
  latest: [],
  classes: [{ child: student, ...one }],
})

export const ACCOUNTS: readonly Account[] = [
  SHARED,
  {
    ...emailed('Marcus', 40),
    method: 'app',
    latest: ['not logged', 'sent back', 'waiting'],
    classes: [
      { child: 'Ella', subject: 'English', minutes: 60, start: '17:00', before: 2 },
      { child: 'Noah', subject: 'Spelling', minutes: 60, start: '17:30', before: 4, isOver: true },
    ],
  },
  {
    ...emailed('Yuki', 68),
    method: 'check',
    latest: ['waiting'],
    classes: [
      { child: 'Ella', subject: 'SAT prep', minutes: 90, start: '10:00', before: 6, isBiWeekly: true },
    ],
  },
  own('Oliver', { subject: 'Math', minutes: 60, start: '16:00', before: 4 }),
  own('Priya', { subject: 'Calculus', minutes: 90, start: '18:30', before: 2 }),
  own('Sam', { subject: 'Physics', minutes: 60, start: '17:00', before: 6, isBiWeekly: true }),
]
