// The remote engine: any server with an OpenAI-compatible /v1/audio/transcriptions. We send only fields that
// all such servers understand, and read only `text` from the response.
import { type Vocabulary, type SpeechEngine, SpeechFailed, wavHeader } from './engine.server.ts'
import type { Transcription } from './transcription.ts'

interface RemoteSettings {
  /** URL of the server, with or without the endpoint's path. */
  url: string
  apiKey?: string
  model?: string
}

/** Whisper uses only the last 224 tokens of a prompt, so we put the names last. */
const PROMPT_CHARACTERS = 800
/** A two-minute transcript is about 2 kB. */
const ANSWER_BYTES = 64 * 1024
const TRANSCRIPT_CHARACTERS = 4000

/**
 * Calls a transcription server. Throws SpeechFailed if the server is down, rejects the request, or sends an
 * invalid response.
 */
export function remoteEngine(settings: RemoteSettings): SpeechEngine {
  const url = endpointOf(settings.url)
  return {
    name: 'remote',
    async transcribe(pcm, vocabulary, signal): Promise<Transcription> {
      const form = new FormData()
      form.set(
        'file',
        new Blob([new Uint8Array(wavHeader(pcm.length)), new Uint8Array(pcm)], { type: 'audio/wav' }),
        'recording.wav',
      )
      form.set('model', settings.model ?? 'whisper-1')
      form.set('prompt', promptOf(vocabulary))
      form.set('response_format', 'json')
      const text = await answerOf(url, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal,
        headers: settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {},
      })
      if (!text.trim()) throw new SpeechFailed('nothing_heard')
      return { text: text.trim().slice(0, TRANSCRIPT_CHARACTERS) }
    },
    async close() {},
  }
}

function endpointOf(url: string): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/audio/transcriptions')) return base
  return `${base}${base.endsWith('/v1') ? '' : '/v1'}/audio/transcriptions`
}

function promptOf({ names, subjects }: Vocabulary): string {
  const words = [...subjects, ...names]
  while (words.join(', ').length > PROMPT_CHARACTERS) words.shift()
  return `A tutoring session. ${words.join(', ')}`
}

async function answerOf(url: string, request: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, request)
    if (!response.ok) {
      await response.body?.cancel()
      throw new SpeechFailed('speech_failed', `the speech server answered ${response.status}`)
    }
    const body = JSON.parse(await boundedText(response)) as { text?: unknown } | null
    if (typeof body?.text !== 'string')
      throw new SpeechFailed('speech_failed', 'the speech server sent no text')
    return body.text
  } catch (error) {
    // If the caller gave up or time ran out, that error is rethrown as is.
    request.signal?.throwIfAborted()
    if (error instanceof SpeechFailed) throw error
    throw new SpeechFailed(
      'speech_failed',
      error instanceof SyntaxError
        ? 'the speech server did not send JSON'
        : 'the speech server could not be reached',
    )
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES)
      throw new SpeechFailed('speech_failed', 'the speech server sent too long a response')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
