// An amount with decimals is refused in a currency that has none.
import type { Problem } from '#kernel/endpoint.ts'

export const NO_DECIMALS: Problem = {
  status: 422,
  code: 'no_decimals',
  title: 'This currency has no decimals. Enter a whole amount.',
}
