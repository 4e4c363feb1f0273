// The help page. Button and page labels in its text are enclosed in **. help-text.test.ts checks that every label
// exists on a screen and that the numbers match the code.
import type { HelpSection } from './help-section.ts'
import { SIGNING_IN, YOUR_DATA } from './help-text-account.ts'
import { PAPERS, PAYMENTS, TERMS } from './help-text-money.ts'
import { LOGGING, OFFLINE, VOICE } from './help-text-sessions.ts'
import { CONFIRMING, CONNECTING, MONTHS } from './help-text-sharing.ts'

interface HelpText {
  title: string
  summary: string
  sections: readonly HelpSection[]
}

export const HELP: HelpText = {
  title: 'Help',
  summary:
    'Learn how to share a log with a tutor or family, agree on each month’s total, and keep track of what’s owed. If your question isn’t here, write to us.',
  sections: [
    CONNECTING,
    CONFIRMING,
    LOGGING,
    MONTHS,
    PAYMENTS,
    PAPERS,
    TERMS,
    VOICE,
    OFFLINE,
    SIGNING_IN,
    YOUR_DATA,
  ],
}

/** Splits text into plain parts and the labels enclosed in ** markers. */
export function textParts(text: string): { words: string; isLabel: boolean }[] {
  return text
    .split('**')
    .map((words, at) => ({ words, isLabel: at % 2 === 1 }))
    .filter(({ words }) => words !== '')
}
