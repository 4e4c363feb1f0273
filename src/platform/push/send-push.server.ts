// Sends one push message to one device. The web-push library encrypts it and signs the request; whether and how it
// leaves this machine is decided here.
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import webPush from 'web-push'
import { type CheckAddress, ForbiddenAddress } from './push-address.server.ts'
import type { PushKey } from './push-key.server.ts'
import { pushBytes, type PushText } from './push-message.ts'

/** How to reach one browser, as the browser gave it to us. */
export interface Subscription {
  endpoint: string
  /** The browser's public key and its secret, in base64url. */
  p256dh: string
  auth: string
}

/**
 * What came of a message. 'gone': the subscription has ended. 'later': the push service couldn't be reached, was busy
 * or failed. 'refused': it doesn't take this message, or we don't send there.
 */
export type Delivery = 'accepted' | 'gone' | 'later' | 'refused'

export interface PushSender {
  readKey(): Promise<PushKey>
  /** True if messages may be sent to this address. Throws if its name can't be looked up. */
  mayReach(endpoint: string): Promise<boolean>
  send(subscription: Subscription, text: PushText): Promise<Delivery>
}

const TIMEOUT_MS = 10_000
/** Nothing a push service answers is read beyond this. */
const MAX_ANSWER_BYTES = 4096

/**
 * @param contact the email address of whoever runs this server, for push services
 */
export function openPushSender({
  readKey,
  baseUrl,
  contact,
  check,
}: {
  readKey: () => Promise<PushKey>
  baseUrl: string
  contact: string
  check: CheckAddress
}): PushSender {
  return {
    readKey,
    mayReach: (endpoint) =>
      check(endpoint).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ForbiddenAddress) return false
          throw error
        },
      ),
    async send({ endpoint, p256dh, auth }, text) {
      const bytes = pushBytes(baseUrl, text)
      const key = await readKey()
      try {
        const { url, addresses } = await check(endpoint)
        const { headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          bytes,
          {
            vapidDetails: { subject: `mailto:${contact}`, ...key },
            TTL: text.ttlSeconds,
            urgency: 'normal',
          },
        )
        return deliveryOf(await post(url, addresses, headers, body))
      } catch (error) {
        return error instanceof ForbiddenAddress ? 'refused' : 'later'
      }
    },
  }
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

/**
 * Posts the message and resolves to the status. Redirects aren't followed, and the connection goes to one of the
 * checked addresses: a name that has changed its address in the meantime changes nothing.
 */
function post(
  url: URL,
  addresses: string[] | undefined,
  headers: Record<string, string | number>,
  body: Buffer | null,
): Promise<number> {
  const [address] = addresses ?? []
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: headers as Record<string, string>,
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(address !== undefined && { lookup: always(address) }),
      },
      (answer) => {
        let left = MAX_ANSWER_BYTES
        answer.on('data', (chunk: Buffer) => {
          left -= chunk.length
          if (left < 0) answer.destroy()
        })
        answer.on('close', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve(answer.statusCode ?? 0))
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

function always(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4
  return (_name, options, done) => {
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
}
