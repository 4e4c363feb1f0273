// The route for logging by voice. Recordings are kept only in memory, and only for the duration of the
// request (promise P4).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dayIn } from '#kernel/calendar-day.ts'
import type { ReasonOf } from '#kernel/endpoint.ts'
import { type Cents, centsOfDollars } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { readCurrency, readTimeZone } from '#features/workspaces/queries.server.ts'
import { listTutors } from '#features/tutors/queries.server.ts'
import { OUTSIDE, serve, WITHIN } from '#features/access/operation.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { type Vocabulary, SpeechFailed } from '#platform/speech/engine.server.ts'
import type { Transcription } from '#platform/speech/transcription.ts'
import type { Transcriber } from '#platform/speech/transcriber.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { TaskRefused, TaskProcess } from '#platform/task-process.server.ts'
import type { ReaderTask, ReadTask } from './reader.server.ts'
import { vocabularyOf, type SpokenNames } from './spoken-sentences.ts'
import {
  ForgetName,
  ForgetNames,
  LearnNames,
  ListLearnedNames,
  canBeLearned,
  withLearned,
} from './learned-name.ts'
import { deleteLearnedNames, insertLearnedNames, listLearnedNames } from './queries.server.ts'
import {
  MOST_CHARACTERS,
  MOST_RECORDING_BYTES,
  narrowed,
  ProcessSpeech,
  RECORDING_TYPES,
  type VoiceResult,
} from './voice.ts'

/** Base64 turns three bytes into four characters. The rest of the JSON is the lists. */
const MOST_BODY_BYTES = Math.ceil((MOST_RECORDING_BYTES * 4) / 3) + 256 * 1024

type Reason = ReasonOf<typeof ProcessSpeech>

/**
 * Limits for reading text. An everyday sentence takes 3 ms of CPU time. Any text of 4,000 characters is
 * either read before the deadline or rejected.
 */
const LIMITS = { deadlineMs: 300, mostWaiting: 16, mostWaitingPerAccount: 3 }
/** The deadline for reading up to 25 variants of an engine's output. Their total length is limited too. */
const RECORDING_DEADLINE_MS = 3000
/** The deadline for creating the thousands of sentences an engine needs. That happens once per account. */
const SENTENCES_DEADLINE_MS = 2000
const REFUSALS = { busy: 'speech_busy', too_slow: 'reading_timeout', crashed: 'reading_failed' } as const

export function addVoiceRoutes(
  app: FastifyInstance,
  services: Services,
  transcriber: Transcriber,
  reader = new TaskProcess<ReaderTask>(new URL('reader.server.ts', import.meta.url), LIMITS),
): void {
  addLearnedNameRoutes(app, services)
  app.addHook('onClose', () => reader.close())
  void app.register(async (routes) => {
    routes.addContentTypeParser(
      RECORDING_TYPES,
      { parseAs: 'buffer', bodyLimit: MOST_RECORDING_BYTES },
      (_request, body, parsed) => parsed(null, body),
    )

    serve(
      routes,
      services,
      ProcessSpeech,
      { ...OUTSIDE, body: { maxBytes: MOST_BODY_BYTES, inputOf } },
      async ({ input, user, workspace, readAsCaller, signal, request }) => {
        if (input.audio && input.audio.length > MOST_RECORDING_BYTES) return refused('recording_too_large')
        const own = await readAsCaller(async ({ tx }) => ({
          students: await listStudents(tx, workspace),
          tutors: await listTutors(tx, workspace),
          timeZone: await readTimeZone(tx, user.id),
          currency: await readCurrency(tx, workspace),
          learned: await listLearnedNames(tx, { accountId: user.id, workspaceId: workspace }),
        }))
        const everyone = [...own.students, ...own.tutors]
        const students = withLearned(
          narrowed(own.students, input.children).map(({ id, name, hourly_rate }) => ({
            id,
            name,
            rate: centsOrNull(hourly_rate),
          })),
          own.learned,
          everyone,
        )
        const tutors = withLearned(
          narrowed(own.tutors, input.tutors).map(({ id, name, subjects, hourly_rate, is_self }) => ({
            id,
            name,
            subjects,
            isSelf: is_self,
            rate: centsOrNull(hourly_rate),
          })),
          own.learned,
          everyone,
        )
        const source = input.transcript ? { text: input.transcript } : input.audio
        if (!source) return refused('nothing_sent')
        const vocabulary = vocabularyFor(reader, user.id, { students, tutors })
        try {
          const transcription: Transcription & { seconds?: number } =
            source instanceof Uint8Array
              ? await (input.live
                  ? preview(transcriber, source, input.live, vocabulary, signal)
                  : transcriber.transcribe(source, vocabulary, signal))
              : source
          const today = input.today ?? dayIn(services.now(), own.timeZone ?? 'UTC')
          const task = { transcription, today, students, tutors, currency: own.currency }
          const result = await reader.run<VoiceResult>(
            user.id,
            { ...task, correcting: input.correcting },
            signal,
            input.transcript ? LIMITS.deadlineMs : RECORDING_DEADLINE_MS,
          )
          return done(input.live ? { ...result, live_seconds: transcription.seconds } : result)
        } catch (error) {
          const reason = reasonOf(error)
          // Logs what happened but never what was said.
          request.log.info({ reason, err: (error as Error).cause }, 'a recording or a text was not read')
          return refused(reason)
        }
      },
    )
  })
}

/** What has been said so far in a recording that's still being made. */
async function preview(
  transcriber: Transcriber,
  recording: Uint8Array,
  { from, heard }: { from: number; heard?: string | null },
  vocabulary: Vocabulary,
  signal: AbortSignal,
): Promise<{ text: string; seconds: number }> {
  const { text, seconds } = await transcriber.preview(recording, from, vocabulary, signal)
  return { text: [heard, text].filter(Boolean).join(' ').slice(0, MOST_CHARACTERS), seconds }
}

/** A member's own learned names. */
function addLearnedNameRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ListLearnedNames, WITHIN, async ({ tx, user, workspace }) =>
    done({ names: await listLearnedNames(tx, { accountId: user.id, workspaceId: workspace }) }),
  )
  serve(app, services, LearnNames, WITHIN, async ({ tx, input, user, workspace }) => {
    const member = { accountId: user.id, workspaceId: workspace }
    const [students, tutors] = [await listStudents(tx, workspace), await listTutors(tx, workspace)]
    const everyone = [...students, ...tutors]
    // Whoever isn't on a list by now, or was never to be seen, is left out.
    const names = input.names.filter(
      (name) =>
        canBeLearned(name.words, everyone) &&
        ('student_id' in name ? students : tutors).some(
          ({ id }) => id === ('student_id' in name ? name.student_id : name.tutor_id),
        ),
    )
    await insertLearnedNames(tx, member, names)
    return done({ names: await listLearnedNames(tx, member) })
  })
  serve(app, services, ForgetName, WITHIN, async ({ tx, user, workspace, params }) => {
    if (!(await deleteLearnedNames(tx, { accountId: user.id, workspaceId: workspace }, params.id)))
      throw notFound()
    return done(undefined)
  })
  serve(app, services, ForgetNames, WITHIN, async ({ tx, user, workspace }) => {
    await deleteLearnedNames(tx, { accountId: user.id, workspaceId: workspace })
    return done(undefined)
  })
}

/** The names and sentences an engine should expect. The sentences are created in the reader's process. */
function vocabularyFor(
  reader: TaskProcess<ReaderTask>,
  account: string,
  { students, tutors }: Pick<ReadTask, 'students' | 'tutors'>,
): Vocabulary {
  const names: SpokenNames = {
    students: students.flatMap(namesOf),
    tutors: tutors.flatMap(namesOf),
    subjects: tutors.flatMap(({ subjects }) => subjects),
    rates: tutors.flatMap(({ rate }) => (rate === null ? [] : [rate])),
  }
  return {
    ...vocabularyOf(names),
    // The caller's abort signal isn't used here, because the engine reuses the sentences for the next
    // recording.
    sentences: () =>
      reader.run<string>(account, { names }, new AbortController().signal, SENTENCES_DEADLINE_MS),
  }
}

/** What someone is called. Words that an engine heard instead of the name aren't another name to listen for. */
function namesOf({ name, alsoCalled = [] }: ReadTask['students'][number]): string[] {
  return [name, ...alsoCalled.filter((words) => !words.includes(' '))]
}

/** The reason for rejecting a request after a speech or reading error. Rethrows any other error. */
function reasonOf(error: unknown): Reason {
  if (error instanceof SpeechFailed) return error.reason
  if (error instanceof TaskRefused) return REFUSALS[error.reason]
  throw error
}

function centsOrNull(dollars: number | null): Cents | null {
  return dollars === null ? null : centsOfDollars(dollars)
}

function inputOf(request: FastifyRequest): unknown {
  return request.body instanceof Uint8Array
    ? { audio: request.body, ...(request.query as object) }
    : (request.body ?? {})
}
