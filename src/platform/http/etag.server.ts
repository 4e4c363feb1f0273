// Reads that whoever has them may ask about: what has not changed does not travel again.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends the JSON of a read, or 304 to whoever has the same. Whether the caller may read it was decided before: only an
 * answer that would go out as 200 comes here.
 */
export function sendRead(request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply {
  // Weak, because the same answer may travel compressed or not.
  const etag = `W/"${hash('sha1', json, 'base64url')}"`
  // The browser's own cache keeps nothing of it (no-store, promise W9): a client asks about what it has in memory.
  reply.header('etag', etag)
  return isKnown(request.headers['if-none-match'], etag)
    ? reply.status(304).send()
    : reply.type('application/json; charset=utf-8').send(json)
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => one.trim() === etag) ?? false
}
