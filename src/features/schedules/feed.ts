// The secret URL of a user's calendar feed. We store only its hash, so it's shown only once.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'

/** A feed's URL is this path followed by the feed's token and .ics (docs/contract.md, HTTP). */
export const FEED_PATH = '/calendar/'

/** Requested by calendar apps. The file name is the token plus .ics. */
export const FetchCalendar = endpoint({
  operation: 'FetchCalendar',
  summary: 'Get the schedules as a calendar (RFC 5545); anyone who has the URL can read it',
  method: 'GET',
  path: `${FEED_PATH}:file`,
  access: 'anyone',
  input: z.strictObject({}),
  output: z.string(),
  produces: 'text/calendar',
  refusals: { not_found: { status: 404, title: 'This does not exist' } },
})

export const ReadFeed = endpoint({
  operation: 'ReadFeed',
  summary: 'Check whether a calendar URL exists and when it was created',
  method: 'GET',
  path: '/api/v1/calendar-feed',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ created_at: z.nullable(z.string()) }),
})
export const MakeFeed = endpoint({
  operation: 'MakeFeed',
  summary: 'Create a calendar URL, shown only once; the previous one stops working',
  method: 'POST',
  path: '/api/v1/calendar-feed',
  access: ['parent', 'tutor', 'admin'],
  isOwn: true,
  proof: 'recent',
  input: z.strictObject({}),
  output: z.object({ url: z.string() }),
  limit: { hits: 20, seconds: 3600 },
})
// Doesn't require a plan: nobody should have to pay to stop others from reading their calendar.
export const EndFeed = endpoint({
  operation: 'EndFeed',
  summary: 'Delete the calendar URL',
  method: 'DELETE',
  path: '/api/v1/calendar-feed',
  access: ['parent', 'tutor', 'admin'],
  isOwn: true,
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})
