// Conditional reads: a response that hasn't changed isn't sent again.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends a read's JSON, or 304 if the caller already has the same JSON. The caller must already be authorized,
 * because this handles only responses that would otherwise be 200.
 * @param answer the JSON, or a shorter text that's faster to hash and that `toJson` turns into the JSON
 */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string,
  toJson = (json: string) => json,
): FastifyReply {
  // Weak, because the same response may be sent compressed or not.
  const etag = `W/"${hash('sha1', answer, 'base64url')}"`
  // The browser doesn't cache the response (no-store, promise W9). The client sends the ETag of the response
  // it has in memory.
  reply.header('etag', etag)
  return isKnown(request.headers['if-none-match'], etag)
    ? reply.status(304).send()
    : reply.type('application/json; charset=utf-8').send(toJson(answer))
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => one.trim() === etag) ?? false
}
