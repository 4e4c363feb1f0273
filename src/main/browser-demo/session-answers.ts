// Logging, changing, confirming and disputing sessions in the demo.
import {
  AcceptSession,
  ConfirmSession,
  ConfirmSessions,
  DisputeSession,
  KeepSession,
  ListShared,
  WithdrawConfirmation,
} from '#features/sessions/confirmation.ts'
import { ReadHistory } from '#features/sessions/history.ts'
import { eachWords } from '#features/sessions/lesson-words.ts'
import { lookAlikes } from '#features/sessions/same-lesson.ts'
import {
  foundOf,
  isSearch,
  matchesSearch,
  partsOf,
  searchedWords,
} from '#features/sessions/session-search.ts'
import {
  AnswerDispute,
  DeleteSession,
  ListHeld,
  ListSessions,
  LogSession,
  ReadSession,
  type Session,
  sessionDay,
  UpdateSession,
} from '#features/sessions/session.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import { answers, type Ask, type Handler, keepPrinted, refuse, take } from './answering.ts'
import { CONNECTION, TUTOR } from './cast.ts'
import type { Answer, DemoRecord, Details, Entry, Side } from './record.ts'
import type { Said } from './world.ts'
import {
  childWith,
  entriesOf,
  isSentBack,
  newestFirst,
  sessionsOf,
  toHistory,
  toSession,
  toShared,
} from './views.ts'

/** The session or payment that a call is about. Refuses the call if the caller's version is out of date. */
export function entryOf(
  endpoint: Endpoint,
  { record, side, id, version }: Pick<Ask<Endpoint>, 'record' | 'side' | 'id' | 'version'>,
): Entry {
  const entry = record.world.find({ side }, id)
  if (!entry) return refuse(endpoint, 'not_found')
  if (version !== undefined && version !== record.detailsOf(entry).version) refuse(endpoint, 'changed')
  return entry
}

const ACTIONS = { confirmed: 'confirmed', disputed: 'disputed', none: 'withdrawn' } as const

/** Sets or withdraws one side's confirmation or dispute of a session or payment. */
export function giveAnswer(
  endpoint: Endpoint,
  ask: Pick<Ask<Endpoint>, 'record' | 'side' | 'id' | 'version'>,
  answer: Answer,
  { note = null, proposal = null }: Said = {},
): Entry {
  const { record, side, id } = ask
  const entry = entryOf(endpoint, ask)
  if (entry.kind === 'session' && entry.day > record.today()) refuse(endpoint, 'too_early')
  const [was, noted, replied] = [entry.answers[side], entry.notes[side], entry.replies[side]]
  const proposed = entry.proposals[side]
  take(
    endpoint,
    record.world.giveAnswer({ side }, id, answer, { note, proposal }),
    monthOf(entry.day as CalendarDay),
  )
  if (
    was !== answer ||
    noted !== note ||
    replied !== entry.replies[side] ||
    proposed !== entry.proposals[side]
  )
    record.happened(entry, side, ACTIONS[answer])
  return entry
}

/**
 * Saves what's written about a lesson, which both sides can edit, and this side's private notes. Returns the
 * names of the fields that changed.
 */
function write(details: Details, side: Side, told: Partial<Details> & { own?: string | null }): string[] {
  const { own, ...shared } = told
  const given = Object.entries(shared).filter(([, value]) => value !== undefined)
  const changed = given.filter(([field, value]) => details[field as keyof Details] !== value)
  Object.assign(details, Object.fromEntries(changed))
  if (own !== undefined) details.notes[side] = own
  return changed.map(([field]) => field)
}

function mustBePossible(endpoint: Endpoint, day: CalendarDay | undefined, { clock }: DemoRecord): void {
  if (day && !sessionDay(day, clock())) refuse(endpoint, 'too_far_ahead')
}

const log = answers(LogSession, ({ record, side, input }) => {
  mustBePossible(LogSession, input.date, record)
  const child = childWith(side, input.student_id) ?? refuse(LogSession, 'unknown_student')
  const lesson = {
    connection_id: CONNECTION,
    student_id: input.student_id,
    day: input.date,
    minutes: input.duration,
  }
  const theirs = sessionsOf(record, side)
    .filter((session) => session.own_confirmation === 'none' && !session.deletion_asked_by)
    .map(({ student_id, date, duration }) => ({
      connection_id: CONNECTION,
      student_id,
      day: date,
      minutes: duration * 60,
    }))
  if (!input.is_another && lookAlikes([lesson], theirs)[0]) refuse(LogSession, 'same_lesson')
  const facts = { day: input.date, minutes: input.duration, rate: input.hourly_rate ?? null }
  const { entry } = take(LogSession, record.world.log(side, TUTOR, child, facts), monthOf(input.date))
  if (!entry) return refuse(LogSession, 'not_found')
  record.add(entry, side, {
    subject: input.subject ?? null,
    start_time: input.start_time ?? null,
    ...eachWords((field) => input[field] ?? null),
  })
  record.detailsOf(entry).notes[side] = input.notes ?? null
  return toSession(record, entry, side)
})

const change = answers(UpdateSession, (ask) => {
  const { record, side, id, input } = ask
  const entry = entryOf(UpdateSession, ask)
  mustBePossible(UpdateSession, input.date, record)
  const child = input.student_id ? childWith(side, input.student_id) : undefined
  if (input.student_id && !child) refuse(UpdateSession, 'unknown_student')
  const before = { ...entry, child: entry[side]?.child }
  const facts = Object.fromEntries(
    Object.entries({ day: input.date, minutes: input.duration, rate: input.hourly_rate, child }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  take(UpdateSession, record.world.change(side, id, facts), monthOf(before.day as CalendarDay))
  const { subject, start_time, notes: own } = input
  keepPrinted(UpdateSession, record, entry, 'subject', subject)
  const after = { ...entry, child: entry[side]?.child }
  const changed = (['day', 'minutes', 'rate', 'child'] as const).filter(
    (field) => before[field] !== after[field],
  )
  const written = write(record.detailsOf(entry), side, {
    subject,
    start_time,
    ...eachWords((field) => input[field]),
    own,
  })
  record.happened(entry, side, 'changed', [...changed, ...written])
  return toSession(record, entry, side)
})

const remove = answers(DeleteSession, (ask) => {
  const entry = entryOf(DeleteSession, ask)
  return removed(DeleteSession, ask, entry)
})

/** Deletes an entry, or asks the other side to agree to the deletion. */
export function removed(
  endpoint: Endpoint,
  { record, side, id }: Pick<Ask<Endpoint>, 'record' | 'side' | 'id'>,
  entry: Entry,
) {
  const { status } = take(endpoint, record.world.remove({ side }, id), monthOf(entry.day as CalendarDay))
  if (status === 204) return undefined
  record.happened(entry, side, 'deletion asked')
  return { code: 'deletion_requested' as const, version: record.detailsOf(entry).version }
}

/** Declines or withdraws a request to delete an entry, so the entry stays. */
export function kept(
  endpoint: Endpoint,
  ask: Pick<Ask<Endpoint>, 'record' | 'side' | 'id' | 'version'>,
): Entry {
  const entry = entryOf(endpoint, ask)
  take(endpoint, ask.record.world.keep({ side: ask.side }, ask.id), monthOf(entry.day as CalendarDay))
  ask.record.happened(entry, ask.side, 'kept')
  return entry
}

/** Accepts what the other side proposed. Undefined if that deleted the session or payment. */
export function accepted(
  endpoint: Endpoint,
  ask: Pick<Ask<Endpoint>, 'record' | 'side' | 'id' | 'version'>,
): Entry | undefined {
  const { record, side, id } = ask
  const entry = entryOf(endpoint, ask)
  const { day, minutes, rate, usual } = entry
  take(endpoint, record.world.acceptProposal({ side }, id), monthOf(day as CalendarDay))
  if (!record.world.find({ side }, id)) return undefined
  const changed = [
    entry.day !== day && 'date',
    entry.minutes !== minutes && 'duration',
    (entry.rate ?? entry.usual) !== (rate ?? usual) && 'rate',
  ]
  record.happened(
    entry,
    side,
    'accepted',
    changed.filter((field) => field !== false),
  )
  return entry
}

const answerDispute = answers(AnswerDispute, (ask) => {
  const { record, side, input } = ask
  const entry = entryOf(AnswerDispute, ask)
  take(AnswerDispute, record.world.reply({ side }, entry.id, input.note), monthOf(entry.day as CalendarDay))
  record.happened(entry, side, 'answered')
  return toSession(record, entry, side)
})

const page = answers(ListSessions, ({ record, side, input }) => {
  const { month, state, limit, cursor, ...asked } = input
  const search = {
    words: searchedWords(asked.search),
    from: asked.from,
    to: asked.to,
    studentId: asked.student_id,
    tutorId: asked.tutor_id,
    state: asked.standing,
  }
  const found = sessionsOf(record, side).filter(
    (session) =>
      (!month || session.date.startsWith(month)) &&
      (!state || isSentBack(record, session, side)) &&
      matchesSearch(session, search),
  )
  const rest = found.filter((session) => !cursor || `${session.date}_${session.id}` < cursor)
  const sessions = rest.slice(0, limit)
  const last = sessions.at(-1)
  return {
    sessions,
    next_cursor: rest.length > limit && last ? `${last.date}_${last.id}` : null,
    ...(isSearch(asked) && !cursor && { found: foundOf(partsOf(found)) }),
  }
})

const shared = answers(ListShared, ({ record, side, input: { month, waiting } }) => ({
  sessions: newestFirst(
    entriesOf(record, side, 'session')
      .filter(({ day }) => (month ? day.startsWith(month) : day <= record.today()))
      .map((entry) => toShared(record, entry, side))
      .filter((session) => !waiting || session.waits_for_you),
  ),
}))

const confirm = answers(ConfirmSession, (ask) => {
  const { record, side, input } = ask
  const entry = giveAnswer(ConfirmSession, ask, 'confirmed')
  const written = write(record.detailsOf(entry), side, input)
  if (written.length > 0) record.detailsOf(entry).version += 1
  return toSession(record, entry, side)
})

const confirmAll = answers(ConfirmSessions, ({ record, side, input }) => {
  const result = { confirmed: [] as string[], changed: [] as string[] }
  for (const { id, version } of input.sessions) {
    const entry = record.world.find({ side }, id)
    const isSeen = entry && record.detailsOf(entry).version === version && entry.day <= record.today()
    if (isSeen) giveAnswer(ConfirmSessions, { record, side, id, version }, 'confirmed')
    result[isSeen ? 'confirmed' : 'changed'].push(id)
  }
  return result
})

const asSession = ({ record, side }: Pick<Ask<Endpoint>, 'record' | 'side'>, entry: Entry): Session =>
  toSession(record, entry, side)

export const SESSION_ANSWERS: Handler[] = [
  log,
  change,
  remove,
  answerDispute,
  page,
  shared,
  confirm,
  confirmAll,
  answers(ListHeld, () => ({ sessions: [] })),
  answers(ReadSession, (ask) => asSession(ask, entryOf(ReadSession, ask))),
  answers(WithdrawConfirmation, (ask) => asSession(ask, giveAnswer(WithdrawConfirmation, ask, 'none'))),
  answers(DisputeSession, (ask) => {
    const { note, proposal: told } = ask.input
    const { day, minutes, rate, usual } = entryOf(DisputeSession, ask)
    const proposal = told && {
      day: told.date ?? day,
      minutes: told.duration ?? minutes,
      override: told.rate ?? rate ?? usual,
    }
    return asSession(
      ask,
      giveAnswer(DisputeSession, ask, 'disputed', {
        note,
        proposal: told?.is_removal ? 'removal' : (proposal ?? null),
      }),
    )
  }),
  answers(AcceptSession, (ask) => {
    const entry = accepted(AcceptSession, ask)
    return entry && asSession(ask, entry)
  }),
  answers(KeepSession, (ask) => asSession(ask, kept(KeepSession, ask))),
  answers(ReadHistory, (ask) => ({
    entries: ask.record
      .detailsOf(entryOf(ReadHistory, ask))
      .past.map((past, at) => toHistory(past, at, ask.side)),
  })),
]
