// Refuses text that the database can't store, before any route sees it: NUL, and lone surrogates, which can't
// be encoded as UTF-8 (promises I1, I3).
import type { FastifyInstance } from 'fastify'
import { UNSTORABLE } from '#kernel/text.ts'
import { ProblemError } from './problem.server.ts'

/** Answers 422, with the field, if a request's JSON or query contains such text. */
export function refuseMalformedText(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const fields = [...malformedFields(request.body), ...malformedFields(request.query)]
    if (fields.length === 0) return done()
    const errors = fields.map((field) => ({ field, message: UNSTORABLE }))
    done(new ProblemError(422, 'invalid', 'Some fields are invalid', { errors }))
  })
}

function malformedFields(value: unknown, path: string[] = []): string[] {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? [] : [path.join('.')]
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([name, part]) => malformedFields(part, [...path, name]))
}
