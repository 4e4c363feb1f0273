// Logging by voice: proposes a session from a recording or from text. Doesn't save anything.
import * as z from 'zod/mini'
import { Day } from '#kernel/calendar-day.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { OUTCOMES } from '#features/terms/outcome.ts'
import { dollars } from '#kernel/money.ts'
import { optionalText, requiredText } from '#kernel/text.ts'
import { Changed, Confidence, type Corrected, Correcting, Field, FIELDS, inHours } from './correction.ts'
import { lessonWordsIn } from './lesson-words.ts'
import type { Reading, ReadSession } from './reading/read.ts'
import type { SpokenCharge } from './spoken-charge.ts'

/**
 * Limits on a recording's length in seconds and its size in bytes (docs/design/voice.md). In the formats
 * browsers use, the longest recording is about 2 MB.
 */
export const MOST_SECONDS = 120
export const MOST_RECORDING_BYTES = 5_000_000
/** Longest text, in characters. */
export const MOST_CHARACTERS = 4000
/** The content types a recording can be sent with. Its actual type is detected from its bytes. */
export const RECORDING_TYPES = /^audio\/(webm|mp4|ogg|wav|x-wav|wave|vnd\.wave|x-m4a)(;|$)/

/** One proposed session (docs/product.md, section 3). */
const proposedSession = {
  childId: z.nullable(z.string()),
  tutorId: z.nullable(z.string()),
  /** The spoken name, if it matches no one on the list or more than one person. */
  suggested_child_name: z.nullable(z.string()),
  suggested_tutor_name: z.nullable(z.string()),
  /** The words that were taken for their names. They can be learned if the user says who was meant. */
  child_words: z.optional(z.nullable(z.string())),
  tutor_words: z.optional(z.nullable(z.string())),
  date: z.nullable(z.string()),
  /** Hours, with at most 2 decimal places. */
  duration: z.nullable(z.number()),
  /** Dollars per hour. */
  hourly_rate: z.nullable(z.number()),
  subject: z.nullable(z.string()),
  /** The wall-clock start time, HH:mm. Set if the speaker gave a time range. */
  start_time: z._default(z.nullable(z.string()), null),
  /** What was covered and what comes next. Both sides can read these. */
  summary: z._default(z.nullable(z.string()), null),
  homework: z._default(z.nullable(z.string()), null),
  /** Everything else that was said. Goes into the private notes of the speaker's side. */
  notes: z.nullable(z.string()),
  confidence: Confidence,
  /** Fields that were filled in but that the user should check. */
  unsure: z.optional(z.array(Field)),
  /** True if the date is in the future. The user is then asked about it before the session is logged. */
  is_future: z.boolean(),
}
export const ProposedSession = z.object(proposedSession)
export type ProposedSession = z.output<typeof ProposedSession>

/** What an amount that was said is shown in. Dollars are shown as such, whichever they are. */
export const CURRENCY_OF = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₩': 'KRW' } as const
export type SaidUnit = keyof typeof CURRENCY_OF

/** A charge that was said along with a session: 'plus 12 dollars for the book'. */
const ProposedCharge = z.object({
  /** Positive. */
  amount: z.number(),
  /** The currency as it was said: dollars, euros, pounds, yen or won. */
  unit: z.enum(['$', '€', '£', '¥', '₩']),
  reason: z.enum(['materials', 'travel']),
  /** What it's for. */
  label: z.string(),
  /** False if other words leave open whether it's owed. The user is then asked. */
  is_sure: z.boolean(),
})
export type ProposedCharge = z.output<typeof ProposedCharge>

/** What was said about a planned class that didn't take place. What wasn't said in plain words is null. */
const ProposedMissed = z.object({
  childId: z.nullable(z.string()),
  tutorId: z.nullable(z.string()),
  date: z.nullable(z.string()),
  /** Null if it was canceled, and the time decides how it counts. */
  outcome: z.nullable(z.enum(OUTCOMES)),
})
export type ProposedMissed = z.output<typeof ProposedMissed>

export const VoiceResult = z.object({
  transcript: z.string(),
  ...proposedSession,
  /** The number of sessions in the recording or text. The top-level fields describe the first one. */
  sessions_heard: z.number(),
  /** Whether the text describes a session, or may describe one. */
  is_session: z.boolean(),
  /** All sessions, including the first. */
  sessions: z.optional(z.array(ProposedSession)),
  /**
   * What the text sounds like. If the lesson may not have happened, or hasn't happened yet, it's filled in
   * along with a question. For the last four values, nothing is filled in.
   */
  sounds_like: z.optional(z.enum(['session', 'maybe', 'planned', 'cancelled', 'asked', 'other', 'foreign'])),
  /** Words we didn't understand, offered as an addition to the notes. */
  unread: z.optional(z.nullable(z.string())),
  /** Charges in the text. They belong to the session if there's only one. */
  charges: z._default(z.array(ProposedCharge), []),
  /** What was paid, in dollars, if that isn't the price: 'I paid her 30'. The user is asked whether to record it. */
  paid: z._default(z.nullable(z.number()), null),
  missed: z._default(z.nullable(ProposedMissed), null),
  /** For a correction: what it changed. */
  changed: z.optional(z.array(Changed)),
  /** The length so far of a recording that's still being made, in seconds. */
  live_seconds: z.optional(z.number()),
})
export type VoiceResult = z.output<typeof VoiceResult>

const BASE64 = /^(?:data:[\w/;=.+-]{1,80},)?([A-Za-z0-9+/_-]+={0,2})$/

/** A recording, sent as bytes or as base64 in JSON. */
const Recording = z.pipe(
  z.union([z.string(), z.instanceof(Uint8Array)], { error: 'Send a recording' }),
  z.transform((value, context): Uint8Array => {
    if (typeof value !== 'string') return value
    const [, base64] = BASE64.exec(value) ?? []
    if (base64)
      return Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
        character.charCodeAt(0),
      )
    context.issues.push({ code: 'custom', message: "The recording isn't valid base64", input: '' })
    return z.NEVER
  }),
)

/**
 * People from the caller's lists. Anyone who isn't on them is ignored (docs/product-decisions.md, section 5).
 */
const People = z.optional(
  z
    .array(z.union([z.string(), z.object({ id: z.string() })]))
    .check(z.maxLength(500, 'Send at most 500 names or ids')),
)

const SpeechInput = z.strictObject({
  audio: z.optional(Recording),
  /** Typed or dictated text, instead of a recording. */
  transcript: z.optional(requiredText(MOST_CHARACTERS, 'Say or type what happened')),
  children: People,
  tutors: People,
  /**
   * Set if the recording is still being made. What was said up to `from`, in seconds, has been transcribed
   * before, as `heard`.
   */
  live: z.optional(
    z.strictObject({
      from: z.number().check(z.minimum(0), z.maximum(MOST_SECONDS)),
      heard: optionalText(MOST_CHARACTERS),
    }),
  ),
  /** The user's date. Defaults to the date in the account's time zone or, if that isn't known, in UTC. */
  today: z.optional(Day),
  /**
   * The session that the recording or text corrects, as it stands on its card. The answer is the same session with what
   * the correction changes.
   */
  correcting: z.optional(Correcting),
})

const unavailable = { status: 503, retryAfterSeconds: 10 } as const
export const ProcessSpeech = endpoint({
  operation: 'ProcessSpeech',
  summary:
    'Propose a session from a recording or text; the request body can be the recording itself, with `today` in the query',
  method: 'POST',
  path: '/api/v1/speech',
  access: ['parent', 'tutor', 'admin'],
  isForCaregivers: true,
  limit: { hits: 60, seconds: 60 },
  bodyTypes: ['audio/webm', 'audio/mp4', 'audio/ogg', 'audio/wav'],
  input: SpeechInput,
  output: VoiceResult,
  refusals: {
    nothing_sent: { status: 422, title: 'Send a recording or a transcript', field: 'audio' },
    not_audio: { status: 422, title: "This isn't a recording we can read", field: 'audio' },
    unsupported_audio: {
      status: 415,
      title: 'Send recordings as WebM, MP4, Ogg or WAV',
      field: 'audio',
    },
    recording_too_short: { status: 422, title: 'The recording is shorter than a second', field: 'audio' },
    recording_too_long: { status: 422, title: 'The recording is longer than two minutes', field: 'audio' },
    recording_too_large: { status: 413, title: 'The recording is larger than 5 MB', field: 'audio' },
    recording_silent: { status: 422, title: 'The recording is silent', field: 'audio' },
    nothing_heard: { status: 422, title: "We couldn't make out any words in the recording", field: 'audio' },
    speech_off: { status: 422, title: "This server doesn't accept recordings. You can type instead." },
    speech_engine_missing: {
      status: 422,
      title: 'No speech engine is installed on this server. You can type instead.',
    },
    speech_busy: {
      status: 429,
      title: 'The server is busy with other requests. Please try again in a moment.',
      retryAfterSeconds: 5,
    },
    speech_timeout: { ...unavailable, title: 'Processing the recording took too long. Please try again.' },
    speech_failed: { ...unavailable, title: 'The speech engine failed. Please try again.' },
    reading_timeout: {
      status: 422,
      title: 'That took too long to process. Please shorten it.',
      field: 'transcript',
    },
    reading_failed: { ...unavailable, title: "The text couldn't be processed. Please try again." },
  },
})

/** The caller's people. If the request names any, returns only those. */
export function narrowed<Person extends { id: string }>(
  own: Person[],
  named: (string | { id: string })[] | undefined,
): Person[] {
  if (!named) return own
  const ids = new Set(named.map((person) => (typeof person === 'string' ? person : person.id)))
  return own.filter(({ id }) => ids.has(id))
}

/** The response to a correction: the session as it stands after it. */
export function toCorrectedResult(transcript: string, correcting: Correcting, after: Corrected): VoiceResult {
  const session: ProposedSession = { ...NO_PROPOSAL, ...correcting, ...after.session }
  return {
    transcript,
    ...session,
    sessions_heard: 1,
    is_session: true,
    sessions: [session],
    sounds_like: 'session',
    charges: [],
    paid: null,
    missed: null,
    changed: after.changed,
  }
}

/**
 * Builds the response from a transcript and the sessions read from it.
 * @param charged the charges in the transcript, and the rest of it, which the sessions were read from
 */
export function toVoiceResult(
  transcript: string,
  { sounds, sessions, unread, paid, missed }: Reading,
  charged: { charges: SpokenCharge[]; rest: string } = { charges: [], rest: transcript },
): VoiceResult {
  const proposed = sessions.map((session) => toProposedSession(charged.rest, session))
  return {
    transcript,
    ...(proposed[0] ?? NO_PROPOSAL),
    sessions_heard: proposed.length,
    is_session: proposed.length > 0,
    sessions: proposed,
    sounds_like: sounds,
    unread,
    charges: charged.charges.map(({ amount, unit, reason, label, isSure }) => ({
      amount: dollars(amount),
      unit,
      reason,
      label,
      is_sure: isSure,
    })),
    paid: paid && dollars(paid),
    missed: missed && {
      childId: missed.studentId,
      tutorId: missed.tutorId,
      date: missed.day,
      outcome: missed.outcome,
    },
  }
}

const NO_PROPOSAL: ProposedSession = {
  childId: null,
  tutorId: null,
  suggested_child_name: null,
  suggested_tutor_name: null,
  date: null,
  duration: null,
  hourly_rate: null,
  subject: null,
  start_time: null,
  summary: null,
  homework: null,
  notes: null,
  confidence: 'low',
  is_future: false,
}

function toProposedSession(transcript: string, found: ReadSession): ProposedSession {
  return {
    childId: found.studentId,
    tutorId: found.tutorId,
    suggested_child_name: found.suggestedStudentName,
    suggested_tutor_name: found.suggestedTutorName,
    child_words: found.heardStudent,
    tutor_words: found.heardTutor,
    date: found.day,
    duration: inHours(found.minutes),
    hourly_rate: found.rate === null ? null : dollars(found.rate),
    subject: found.subject,
    start_time: found.start,
    ...lessonWordsIn(transcript, found.notes),
    confidence: found.confidence,
    unsure: found.unsure.map((fact) => FIELDS[fact]),
    is_future: found.isFuture,
  }
}
