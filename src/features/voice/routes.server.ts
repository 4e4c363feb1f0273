// The route of voice logging. A recording lives in this request's memory only (promise P4).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dayIn } from '#kernel/calendar-day.ts'
import type { ReasonOf } from '#kernel/endpoint.ts'
import { centsOfDollars } from '#kernel/money.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { listStudents } from '#features/students/queries.server.ts'
import { listTutors } from '#features/tutors/queries.server.ts'
import { serveLong, type Services } from '#platform/http/serve.server.ts'
import { type Heard, SpeechFailed } from '#platform/speech/engine.server.ts'
import type { Hearing } from '#platform/speech/hearing.server.ts'
import { NO_SESSION } from './extraction.ts'
import { sessionHeard } from './heard-session.ts'
import { listenFor } from './spoken-sentences.ts'
import { MOST_RECORDING_BYTES, narrowed, ProcessSpeech, RECORDING_TYPES, toVoiceResult } from './voice.ts'

/** Base64 takes four characters for three bytes; the rest of the JSON is lists. */
const MOST_BODY_BYTES = Math.ceil((MOST_RECORDING_BYTES * 4) / 3) + 256 * 1024

type Reason = ReasonOf<typeof ProcessSpeech>

/** Adds /api/v1/speech. */
export function addVoiceRoutes(app: FastifyInstance, services: Services, hearing: Hearing): void {
  void app.register(async (routes) => {
    routes.addContentTypeParser(
      RECORDING_TYPES,
      { parseAs: 'buffer', bodyLimit: MOST_RECORDING_BYTES },
      (_request, body, parsed) => parsed(null, body),
    )

    serveLong(
      routes,
      services,
      ProcessSpeech,
      { bodyLimit: MOST_BODY_BYTES, inputOf },
      async ({ input, user, asUser, signal, request }) => {
        if (input.audio && input.audio.length > MOST_RECORDING_BYTES) return refused('recording_too_large')
        const own = await asUser(async (tx) => ({
          students: await listStudents(tx, user.id),
          tutors: await listTutors(tx, user.id),
        }))
        const students = narrowed(own.students, input.children)
        const tutors = narrowed(own.tutors, input.tutors)

        let heard: Heard
        if (input.transcript) heard = { text: input.transcript }
        else if (!input.audio) return refused('nothing_sent')
        else {
          const outcome = await hear(input.audio)
          if (!outcome.ok) return outcome
          heard = outcome.value
        }
        if (heard.isOfThisKind === false) return done(toVoiceResult(heard.text, NO_SESSION))
        const { text, found } = sessionHeard(heard, {
          today: input.today ?? dayIn(services.now(), 'UTC'),
          students: students.map(withRate),
          tutors: tutors.map(withRate),
        })
        return done(toVoiceResult(text, found))

        async function hear(recording: Uint8Array): Promise<Outcome<Heard, Reason>> {
          try {
            return done(
              await hearing.hear(
                recording,
                listenFor({
                  students: students.map(({ name }) => name),
                  tutors: tutors.map(({ name }) => name),
                  subjects: tutors.flatMap(({ subjects }) => subjects),
                  rates: tutors.flatMap(({ hourly_rate }) =>
                    hourly_rate === null ? [] : [centsOfDollars(hourly_rate)],
                  ),
                }),
                signal,
              ),
            )
          } catch (error) {
            if (!(error instanceof SpeechFailed)) throw error
            // The reason, and never what was said.
            request.log.info({ reason: error.message }, 'a recording was not heard')
            return refused(error.reason)
          }
        }
      },
    )
  })
}

function withRate<Person extends { hourly_rate: number | null }>(person: Person) {
  return { ...person, rate: person.hourly_rate === null ? null : centsOfDollars(person.hourly_rate) }
}

function inputOf(request: FastifyRequest): unknown {
  return request.body instanceof Uint8Array
    ? { audio: request.body, ...(request.query as object) }
    : (request.body ?? {})
}
