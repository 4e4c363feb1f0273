// The routes of the sign-offs: making one, and the public page that says that a code is genuine.
import type { FastifyInstance } from 'fastify'
import { done, refused } from '#kernel/outcome.ts'
import { monthLabel } from '#kernel/month.ts'
import { hitLimit, networkOf } from '#platform/http/rate-limit.server.ts'
import { serve, type Services, tooMany } from '#platform/http/serve.server.ts'
import { checkCode, signOff } from './queries.server.ts'
import { codeIn, shownCode, SignOffMonth } from './sign-off.ts'

/** Codes that one network may try: ten letters are not guessed at this speed. */
const TRIES = { hits: 60, seconds: 60 }

/** Adds /api/v1/sign-offs and /verify/CODE. */
export function addSignOffRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, SignOffMonth, async ({ workspace, input }) => {
    const made = await services.db.asSystem((tx) =>
      signOff(tx, workspace, input.tutor_id, input.month, services.now()),
    )
    if (!made) return refused('not_confirmed')
    return done({
      month: made.month,
      tutor_id: input.tutor_id,
      code: shownCode(made.code),
      url: `${services.baseUrl}/verify/${shownCode(made.code)}`,
      signed_at: made.signedAt.toISOString(),
    })
  })

  app.get<{ Params: { code: string } }>('/verify/:code', async (request, reply) => {
    const code = codeIn(request.params.code)
    const found = await services.db.asSystem(async (tx) => {
      const wait = await hitLimit(tx, `verify:${networkOf(request.ip)}`, TRIES)
      return wait === undefined ? code && checkCode(tx, code) : wait
    })
    if (typeof found === 'number') throw tooMany(found)
    if (!code || !found) {
      reply.status(404)
      return services.sendPage(
        reply,
        'Unknown code',
        '<h1 class="mt-8">No statement has this code</h1><p class="mt-2 text-ink-2">Compare it with the foot of the statement, letter by letter.</p>',
      )
    }
    const title = found.isCurrent
      ? 'This statement is genuine'
      : 'This statement was genuine, and has changed since'
    const text = found.isCurrent
      ? 'The family and the tutor both confirmed every session of this month.'
      : 'Both sides confirmed it once. Sessions of this month were changed, added or taken out afterwards. Ask for the newest statement.'
    return services.sendPage(
      reply,
      title,
      `<h1 class="mt-8">${title}</h1><p class="mt-3 text-lead">${monthLabel(found.month)}</p><p class="mt-2 text-ink-2">${text}</p><p class="num mt-5 text-small text-ink-3">Code ${shownCode(code)}</p>`,
    )
  })
}
