import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

/**
 * Called by the payment provider. The `stripe-signature` header is a signature of the raw bytes. Webhooks may
 * arrive more than once and in any order.
 */
export const ReceiveNotice = endpoint({
  operation: 'ReceiveNotice',
  summary: 'Receive a signed webhook from the payment provider',
  method: 'POST',
  path: '/api/webhooks/stripe',
  access: 'anyone',
  input: z.looseObject({}),
  output: z.object({ received: z.literal(true) }),
  refusals: {
    bad_signature: { status: 400, title: 'The signature does not match' },
    malformed: { status: 400, title: 'This is not a webhook from the payment provider' },
    not_found: { status: 404, title: 'This does not exist' },
  },
})
