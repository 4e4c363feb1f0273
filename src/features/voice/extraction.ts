// What one spoken or typed sentence says about a session; the same text and the same lists always give the same answer.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { rateThatApplies } from '#features/sessions/rate.ts'
import { claimAppointments } from './appointment.ts'
import { claimRanges } from './clock-range.ts'
import { confidenceOf } from './confidence.ts'
import { claimCorrections, type SaidCorrection, standing } from './correction.ts'
import { plainSpelling } from './name-spelling.ts'
import { remarksOf } from './remark.ts'
import { type Chosen, rolesOf } from './role.ts'
import { sessionsIn } from './session-count.ts'
import { speaksOfSession } from './session-talk.ts'
import { claimDays, type SaidDay } from './spoken-date.ts'
import { claimMinutes, type SaidAside, type SaidTime } from './spoken-duration.ts'
import { lineOf, phrase, find, type Token } from './spoken-line.ts'
import { claimMoney, isAmbiguous, rateOf, type SaidMoney } from './spoken-money.ts'
import { claimPeople, keepNames, type SaidPerson } from './spoken-name.ts'
import { claimStrangers, type SaidStranger } from './stranger.ts'
import { claimOpenSubject, claimSubjects, type SaidSubject, subjectPlace } from './subject.ts'

export interface ExtractionInput {
  transcript: string
  /** The speaker's own date, which 'yesterday' counts from. */
  today: CalendarDay
  /** `rate` is what an hour usually costs, cents; a tutor's student may have another rate than the rest. */
  students: { id: string; name: string; rate?: Cents | null }[]
  tutors: { id: string; name: string; rate: Cents | null; subjects: string[] }[]
}

/** The session that was heard; null wherever nothing was said, or nothing that fits one meaning alone. */
export interface Extraction {
  studentId: string | null
  tutorId: string | null
  /** A name that was said and is nobody's on the list, or more than one person's. */
  suggestedStudentName: string | null
  suggestedTutorName: string | null
  day: CalendarDay | null
  minutes: Minutes | null
  /** The wall clock at which it began, where a range of times was said, HH:MM. */
  start: string | null
  /** For an hour; a total that was said is divided by the time. Zero where the lesson was free. */
  rate: Cents | null
  subject: string | null
  notes: string | null
  confidence: 'high' | 'medium' | 'low'
  /** How many sessions one breath held; the fields are those of the first. */
  sessionsHeard: number
  isFuture: boolean
  /** Whether the text speaks of a session at all; where not, every field is null. */
  isSession: boolean
}

/** What is answered for a text that speaks of no session. */
export const NO_SESSION: Extraction = {
  studentId: null,
  tutorId: null,
  suggestedStudentName: null,
  suggestedTutorName: null,
  day: null,
  minutes: null,
  start: null,
  rate: null,
  subject: null,
  notes: null,
  confidence: 'low',
  sessionsHeard: 0,
  isFuture: false,
  isSession: false,
}

/** The longest transcript that is read, in characters; two minutes of fast speech are about 2,500. */
export const MAX_TRANSCRIPT = 4000

type Said =
  SaidDay | SaidTime | SaidAside | SaidMoney | SaidPerson | SaidStranger | SaidSubject | SaidCorrection
type Line = Token<Said>[]

/** Reads the session out of a transcript. */
export function extractSession(input: ExtractionInput): Extraction {
  const transcript = input.transcript.slice(0, MAX_TRANSCRIPT).normalize('NFC')
  const line = marked(transcript, input)
  const { student, tutor } = rolesOf(line)
  const meant = { student: student ?? onlyStudent(line, input), tutor: tutor ?? onlyTutor(line, input) }
  const days = places(line, 'day')
  const times = places(line, 'minutes')
  const money = places(line, 'money').filter(({ said }) => said.kind !== 'fee')
  const subject = subjectPlace(line)
  const isSession = speaksOfSession(line, transcript, {
    student: meant.student !== null,
    tutor: meant.tutor !== null,
    minutes: times.length > 0,
    money: money.length > 0,
    day: days.length > 0,
    ahead: (dayOfSession(line, days) ?? input.today) > input.today,
    subject: places(line, 'subject').some(({ place, said }) => place === subject && said.isKnown),
    tutorKnown: Boolean(meant.tutor?.id),
    known: Boolean(meant.student?.id ?? meant.tutor?.id),
    ownBooks: input.tutors.length < 2,
    speakerTeaches:
      input.tutors.length === 0 || (input.tutors.length === 1 && find(line, SPEAKER_TEACHES).length > 0),
  })
  if (!isSession) return NO_SESSION

  const isStudent = (place: number): boolean =>
    ((line[place]?.said as SaidPerson | undefined)?.students.length ?? 0) > 0
  const sessionsHeard = sessionsIn(line, isStudent)
  const day = dayOfSession(line, days) ?? (find(line, JUST_NOW).length > 0 ? input.today : null)
  const minutes = minutesOfSession(line, times)
  // Where nobody is named, the only tutor's usual rate tells what an amount means.
  const teacher =
    meant.tutor === null && input.tutors.length === 1
      ? input.tutors[0]
      : input.tutors.find(({ id }) => id === meant.tutor?.id)
  const usual = rateThatApplies({
    student: input.students.find(({ id }) => id === meant.student?.id)?.rate,
    tutor: teacher?.rate,
  })
  const price = priceOfSession(line, money)
  const rate = price ? rateOf(price, minutes, usual) : null
  const isFuture = day !== null && day > input.today
  const saidSubject = subject === undefined ? undefined : line[subject]
  return {
    studentId: meant.student?.id ?? null,
    tutorId: meant.tutor?.id ?? null,
    suggestedStudentName: meant.student?.suggested ?? null,
    suggestedTutorName: meant.tutor?.suggested ?? null,
    day,
    minutes,
    start: startOfSession(line, times),
    rate,
    subject: saidSubject ? listedSpelling(transcript.slice(saidSubject.start, saidSubject.end), input) : null,
    notes: remarksOf(line, transcript, subject),
    confidence: confidenceOf({
      ...meant,
      hasMinutes: minutes !== null,
      saidMoney: money.some(({ said }) => said.kind !== 'usual'),
      hasRate: rate !== null,
      doubts:
        doubtsOf(line) +
        [
          mayHoldPrice(line, times, transcript, usual),
          isTwofold(keptOf(line, times).map(({ said }) => said.minutes)),
          isTwofold(datesOf(keptOf(line, days).map(({ said }) => said))),
          isFuture,
          sessionsHeard > 1,
          price !== undefined && isAmbiguous(price, minutes, usual),
        ].filter(Boolean).length,
    }),
    sessionsHeard,
    isFuture,
    isSession,
  }
}

/** The days that were said; a date outranks the weekday beside it. */
function datesOf(days: readonly SaidDay[]): CalendarDay[] {
  return (days.some(({ isExact }) => isExact) ? days.filter(({ isExact }) => isExact) : days).map(
    ({ day }) => day,
  )
}

/** Two lengths of time or two days, and nothing tells which is the lesson's. */
function isTwofold(values: readonly (number | string)[]): boolean {
  return new Set(values).size > 1
}

/** 'One hour forty five', where the tutor takes forty five: minutes, as it is read, or the price. */
function mayHoldPrice(
  line: Line,
  times: { place: number; said: SaidTime }[],
  transcript: string,
  usual: Cents | null,
): boolean {
  return times.some(
    ({ place, said }) =>
      usual !== null &&
      said.minutes > 60 &&
      (said.minutes % 60) * 100 === usual &&
      !ENDS_IN_UNIT.test(transcript.slice(line[place]?.start, line[place]?.end)) &&
      !said.isRange,
  )
}
const ENDS_IN_UNIT = /(?:\b(?:minutes?|mins?|hours?|hrs?|half|quarters?)|\d ?[mh])\W*$/i

/** The line with everything marked, in the order in which one thing could be taken for another; the bench shows it beside a wrong reading. */
export function marked(transcript: string, { today, students, tutors }: ExtractionInput): Line {
  let line: Line = keepNames<Said>(lineOf<Said>(transcript), transcript, [...students, ...tutors])
  line = claimDays<Said>(line, today)
  line = claimRanges<Said>(line)
  line = claimPeople<Said>(line, students, tutors)
  line = claimMoney<Said>(line)
  line = claimMinutes<Said>(line)
  line = claimAppointments<Said>(line)
  line = claimSubjects<Said>(
    line,
    tutors.flatMap(({ subjects }) => subjects),
  )
  const people = places(line, 'person').map(({ said }) => said)
  line = claimStrangers<Said>(line, find(line, SPEAKER_TEACHES).length > 0, {
    student: people.some(({ students: fits }) => fits.length > 0),
    tutor: people.some(({ tutors: fits }) => fits.length > 0),
  })
  line = claimCorrections<Said>(line)
  return line.some((token) => token.said?.slot === 'subject') ? line : claimOpenSubject<Said>(line)
}

/** 'I taught', 'my session with': the speaker is the tutor. */
const SPEAKER_TEACHES = phrase(
  'i (?:just |also )?(?:taught|tutored|worked with|coached|helped|met with|met|gave|saw|finished|did|had|spent)|i (?:just |also )?took @person (?:for|through) (?:an? )?(?:@subject|@minutes)|we (?:did|had|spent|finished) @minutes (?:of (?:@subject |[a-z]+ )?)?(?:@day )*@money|my student|^had @person (?:@day |@minutes )+@money|^(?:[a-z]+ )?(?:lessons?|sessions?|class|classes|tutoring)(?: @day| and| @subject| on)* with @person|my session with|my lesson with|^(?:@day )?with @person was @minutes|(?:i|we) (?:finally |just |then )?did @person (?:makeup |make up |usual |weekly |extra |trial )*@minutes|i went to @person (?:house|place|home|flat)|@money (?:off|out of) @person|(?:got|took|made|earned|collected|received) @money from @person|@person (?:came|popped|swung|was here|was over|stayed(?= @minutes| for @minutes))(?: to me| to mine| over| by| round| around| in)?(?= @day| @minutes| for @minutes)|(?:with|by|from) me(?= |$)|@person and (?:i|me)(?= |$)|^(?:just |finally |also |then |so |and |okay |ok |right |well |hi |hey |today |@day )*(?:saw|taught|tutored|worked with|sat (?:down )?with|(?:did|wrapped|wrapped up|finished) @person|worked (?:on|through) (?:[a-z]+ |@subject )*with @person|met with|met|helped|coached|gave @person|explained|walked @person|took @person through|(?:did|had|finished|wrapped up|spent|completed|got done with) (?:my |our |the |his |her |another )?@minutes (?:of (?:@subject |[a-z]+ )*)?with @person|@minutes (?:[a-z]+ |@subject ){0,3}with @person|had @person (?:over |round |here |in |on |zoom |online |@day |for )*@minutes(?! (?:at|in|on) (?:the|an?|his|her) (?!library))|(?:got done|finished|finished up|wrapped up|done|logged off|hung up|signed off) with @person|went (?:over|through)|covered|drilled|quizzed|prepped)',
)

function places<Slot extends Said['slot']>(
  line: Line,
  slot: Slot,
): { place: number; said: Extract<Said, { slot: Slot }> }[] {
  return line.flatMap((token, place) =>
    token.said?.slot === slot ? [{ place, said: token.said as Extract<Said, { slot: Slot }> }] : [],
  )
}

/** Without a day, 'just' means today. */
const JUST_NOW = phrase(
  "just (?:now )?(?:had|finished|finish|wrapped up|wrapped|did|got|completed|ended|worked|met|taught|tutored|left|leaving|said goodbye|come|out of|on a call|on zoom|back from|logged off|hung up|got done|got back|got home|came|done|spent)|(?:for|over) the (?:last|past) @minutes|(?:is|are|am|we're|i'm|she's|he's) (?:now |finally )?(?:back|home|fresh|done|out|finished) (?:from|with|of) (?:her |his |their |our |a |the )?(?:@minutes|lesson|session)|^(?:just )?(?:back|home) from @person|earlier(?: on)?(?=$)",
)

/** What was said and not taken back. */
function keptOf<Of extends { place: number }>(line: Line, said: Of[]): Of[] {
  const left = new Set(
    standing(
      line,
      said.map(({ place }) => place),
    ),
  )
  return said.filter(({ place }) => left.has(place))
}

function dayOfSession(line: Line, days: { place: number; said: SaidDay }[]): CalendarDay | null {
  const kept = keptOf(line, days)
  const [first] = kept
  if (!first) return null
  // 'Monday June 15': two words for one day stand side by side, and the date is the one that counts.
  const beside = kept.filter(
    ({ place }, index) =>
      index === 0 ||
      kept
        .slice(0, index)
        .every(
          (before, at) =>
            (kept[at + 1]?.place ?? place) - before.place <= 2 &&
            !/^(and|or)$/.test(line[before.place + 1]?.text ?? ''),
        ),
  )
  return (beside.find(({ said }) => said.isExact) ?? first).said.day
}

function minutesOfSession(line: Line, times: { place: number; said: SaidTime }[]): Minutes | null {
  const kept = keptOf(line, times)
  // 'so it was an hour and fifteen in total' sums up what was said before.
  const total = kept.find(
    ({ place }) =>
      /^(total|altogether|overall)$/.test(line[place + 1]?.text ?? '') ||
      /^in (?:total|all)$/.test(`${line[place + 1]?.text} ${line[place + 2]?.text}`) ||
      line[place - 1]?.text === 'total',
  )
  return (total ?? kept.find(({ said }) => !said.isRange) ?? kept[0])?.said.minutes ?? null
}

/** When it began; null where two ranges of times were said, or none. */
function startOfSession(line: Line, times: { place: number; said: SaidTime }[]): string | null {
  const starts = new Set(keptOf(line, times).flatMap(({ said }) => said.start ?? []))
  return starts.size === 1 ? ([...starts][0] ?? null) : null
}

function priceOfSession(line: Line, money: { place: number; said: SaidMoney }[]): SaidMoney | undefined {
  const kept = keptOf(line, money).map(({ said }) => said)
  return (
    kept.find(({ kind }) => kind === 'rate') ??
    kept.find(({ kind }) => kind === 'share' || kind === 'shift') ??
    kept.find(({ kind }) => kind === 'total' || kind === 'paid') ??
    kept[0]
  )
}

/** 'my son', 'he': the only child on the list. */
function onlyStudent(line: Line, { students }: ExtractionInput): Chosen | null {
  const [only, other] = students
  const place = find(
    line,
    phrase(
      'my (?:son|daughter|kid|child|boy|girl|little one|student)|our (?:son|daughter|kid|child)|the kid|he|she|him|her|his',
    ),
  )[0]?.from
  return only && !other && place !== undefined ? { place, id: only.id, score: 0.8, suggested: null } : null
}

/** 'the tutor', 'her tutor': the only tutor on the list. */
function onlyTutor(line: Line, { tutors }: ExtractionInput): Chosen | null {
  const [only, other] = tutors
  const place = find(
    line,
    phrase(
      '(?:the|her|his|their|our|my) (?!other |new |old |last |former )(?:[a-z]+ |@subject )?(?:tutor|teacher)|^(?:an? )?tutor(?= (?:came|was|did|had|here|@))',
    ),
  )[0]?.from
  return only && !other && place !== undefined ? { place, id: only.id, score: 0.8, suggested: null } : null
}

/** A subject as the tutors' lists spell it. */
function listedSpelling(said: string, { tutors }: ExtractionInput): string {
  return (
    tutors
      .flatMap(({ subjects }) => subjects)
      .find((subject) => plainSpelling(subject) === plainSpelling(said)) ?? said
  )
}

const DOUBTFUL = phrase(
  'maybe|i think|i guess|not sure|or so|something like|possibly|probably|a few hour|few hour|few minute|or maybe|i forget|around|roughly|i believe',
)

/** Words of time and money in which something may be meant that no rule took. */
const MEANING =
  /^(\$|(?:no|not|wrong|mistake|twice|double|bank|gone|sun|hour|minute|dollars|half|quarter|quarters|rate|price|discount|ago|fortnight|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$)/

/** Words of money that should have come to a rate. */
const MONEY_WORD =
  /^(penny|pence|dime|cent|cents|quid|bucks|cash|paid|paying|payment|unpaid|discount|charged|charge|cost)$/

function doubtsOf(line: Line): number {
  const corrections = line.filter((token) => token.said?.slot === 'fix').length
  const strangers = line.filter((token) => token.said?.slot === 'stranger').length
  const last = line.findLastIndex((token) => /^@(day|minutes|money|person|stranger)$/.test(token.text))
  const saysMoney = line.some((token) => token.said?.slot === 'money')
  const unread = line.filter((token, place) => {
    if (token.said !== undefined) return false
    if (MONEY_WORD.test(token.text)) return !saysMoney
    const isNumber = /^\d/.test(token.text)
    // A number among the facts counts, and one at the very end unless a word such as 'chapter' explains it.
    const isAtEnd = place === line.length - 1 && !/^[a-z]+$/.test(line[place - 1]?.text ?? 'a')
    return (
      MEANING.test(token.text) ||
      (place < last && (isNumber || token.text === 'week')) ||
      (isNumber && isAtEnd)
    )
  }).length
  return corrections + strangers + unread + find(line, DOUBTFUL).length
}
