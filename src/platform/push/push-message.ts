// What a push message says, as it's encrypted: a declarative push message, which some browsers show by themselves
// (https://www.w3.org/TR/push-api/#declarative-push-message), and which our service worker shows in all others.

/** An answer that can be given from the notification. */
interface Answer {
  /** What the button says, such as Yes. */
  title: string
  /** Where the service worker sends the answer, and the body. It carries a token: nobody is signed in there. */
  path: `/api/${string}` | `/unsubscribe?${string}`
  input: Record<string, unknown>
}

/** A message before it's addressed to a device. */
export interface PushText {
  title: string
  body: string
  /** The page it opens. Opening it answers nothing. */
  path: `/${string}`
  /** A later message with the same tag replaces this one on the device. */
  tag: string
  /** How many things are waiting, for the app's icon. */
  waiting?: number
  /** At most two: no system shows more. One that needs another question just opens the page. */
  answers?: readonly (Answer | { title: string })[]
  /** If the device isn't reached in this time, the push service drops the message. */
  ttlSeconds: number
}

/** The JSON that a device gets. */
export interface PushMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    navigate: string
    lang: 'en'
    tag: string
    icon: string
    /** A browser that shows the message by itself opens the page: it can't send an answer. */
    actions?: { action: string; title: string; navigate: string }[]
    data: { answers?: (Pick<Answer, 'path' | 'input'> | null)[] }
  }
  app_badge?: number
}

/** Push services take 4096 bytes, of which the encryption needs 103 (RFC 8291, section 4). */
const MAX_BYTES = 3993

/** The message as bytes for one device. Throws if it's too long for a push service. */
export function pushBytes(baseUrl: string, text: PushText): Buffer {
  const bytes = Buffer.from(JSON.stringify(messageOf(baseUrl, text)))
  if (bytes.length > MAX_BYTES) throw new Error(`a push message of ${bytes.length} bytes is too long`)
  return bytes
}

function messageOf(baseUrl: string, { title, body, path, tag, waiting, answers }: PushText): PushMessage {
  const navigate = baseUrl + path
  return {
    web_push: 8030,
    notification: {
      title,
      body,
      navigate,
      lang: 'en',
      tag,
      icon: `${baseUrl}/icons/icon-192.png`,
      ...(answers && {
        actions: answers.map((answer, at) => ({ action: String(at), title: answer.title, navigate })),
      }),
      data: {
        ...(answers && {
          answers: answers.map((one) => ('path' in one ? { path: one.path, input: one.input } : null)),
        }),
      },
    },
    ...(waiting !== undefined && { app_badge: waiting }),
  }
}
