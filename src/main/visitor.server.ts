// Calls the API of a server in this process the way a browser does: through HTTP, with cookies of its own.
import type { FastifyInstance } from 'fastify'

export interface Answer {
  status: number
  // Loosely typed, so that tests can access the fields they expect. The server checks the format of its
  // responses.
  body: Record<string, unknown> & { errors?: { field: string; message: string }[]; code?: string }
  headers: Record<string, string | string[] | number | undefined>
  /** The raw response body, for files. */
  bytes: Buffer
}

export interface Visitor {
  cookies: Map<string, string>
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Someone new, who isn't signed in. */
export function visitorOf(app: FastifyInstance, origin: string): Visitor {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, body, headers = {}) {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        ...(body === undefined
          ? {}
          : { payload: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body) }),
        headers: {
          origin,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
      })
      for (const { name, value } of answer.cookies) {
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      return {
        status: answer.statusCode,
        body: answer.headers['content-type']?.toString().includes('json') ? answer.json() : {},
        headers: answer.headers,
        bytes: answer.rawPayload,
      }
    },
  }
}
