// Conditional reads: a response that hasn't changed isn't sent again.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends a read's JSON, or 304 if the caller already has that JSON. Authorize the caller first: this only
 * handles responses that would otherwise be 200.
 */
export function sendRead(request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply {
  // A weak ETag, because the same response may be sent with or without compression.
  const etag = `W/"${hash('sha1', json, 'base64url')}"`
  // The browser doesn't cache the response (no-store, promise W9). Instead, the client sends the ETag of the
  // response it has in memory.
  reply.header('etag', etag)
  return isKnown(request.headers['if-none-match'], etag)
    ? reply.status(304).send()
    : reply.type('application/json; charset=utf-8').send(json)
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => one.trim() === etag) ?? false
}
