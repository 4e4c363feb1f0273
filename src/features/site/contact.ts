// The contact form. Anyone can use it to send the operator a message.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { emailAddress, requiredText } from '#kernel/text.ts'

/** The rate limit per account, or per network address if nobody is signed in. */
export const PER_SENDER = { hits: 10, seconds: 3600 }
/** The rate limit per email address entered in the form. */
export const PER_ADDRESS = { hits: 5, seconds: 3600 }

export const Message = z.strictObject({
  name: requiredText(120, 'Enter your name'),
  email: emailAddress('Enter your email address'),
  subject: requiredText(150, 'Enter a subject'),
  message: requiredText(5000, 'Enter a message'),
})

export type MessageFields = z.input<typeof Message>

export function toMessage({ name, email, subject, message }: MessageFields): MessageFields {
  return { name, email, subject, message }
}

export const SendMessage = endpoint({
  operation: 'SendMessage',
  summary: 'Send a message to the contact mailbox',
  method: 'POST',
  path: '/api/v1/contact',
  access: 'anyone',
  limit: { hits: 120, seconds: 600, perAccount: true },
  input: Message,
  output: z.object({ message: z.string() }),
})
