import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'

/** Marks a response as a download. Any file name is safe in the header (RFC 6266, promise I13). */
export function asFile(reply: FastifyReply, fileName: string, type: string): void {
  reply.type(type).header('content-disposition', create(safeName(fileName)))
}

/** Removes characters that file systems don't allow or that change the text direction. */
function safeName(name: string): string {
  return name
    .replaceAll(/[\u0000-\u001F\u007F\u200E\u200F\u202A-\u202E\u2066-\u2069<>:"/\\|?*]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 150)
}
