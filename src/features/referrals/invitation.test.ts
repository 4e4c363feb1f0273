import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationText, senderName, writeInvitation } from './invitation.ts'
import { newReferralCode } from './referral.ts'

const OFFER = { trialDays: 45, bonusDays: 30 }

test('the sender is the full name, else the part of the email before the @, else a label that names the product', () => {
  const of = (full_name: string | null, email: string) => senderName({ full_name, email })
  assert.deepEqual(
    [of('Dana Whitfield', 'd@x.y'), of(null, 'jane.doe@x.y'), of(' ', 'kim@x.y'), of(null, '')],
    ['Dana Whitfield', 'jane.doe', 'kim', 'A Tutorlog user'],
  )
})

test("the greeting names the friend, or is 'Hey there!' if no name was given", () => {
  const greeting = (name: string | null | undefined) => writeInvitation('Dana', name, OFFER).greeting
  assert.deepEqual(
    [greeting('Kim'), greeting(null), greeting(undefined), greeting('  ')],
    ['Hey Kim!', 'Hey there!', 'Hey there!', 'Hey there!'],
  )
})

test('I7: no name puts a link in an email', () => {
  const links = /\w\.[a-z]{2,}|\/\/|@/i
  for (const bad of [
    'https://evil.example/win',
    'www.evil.example',
    'Claim at evil.com/now',
    'me@evil.example',
    'a\nb.co',
  ]) {
    const { subject, greeting, paragraphs } = writeInvitation(
      senderName({ full_name: bad, email: 'kim@x.y' }),
      bad,
      OFFER,
    )
    for (const text of [subject, greeting, ...paragraphs]) assert.doesNotMatch(text, links, bad)
  }
})

test('the text to copy has the invitation and the link; without a bonus it promises none', () => {
  const link = 'https://app.example/signup?ref=abc'
  const text = invitationText(writeInvitation('Dana', 'Kim', OFFER), link)
  assert.match(
    text,
    /^Hey Kim!\n\nDana uses Tutorlog[^]*45 days, no credit card needed[^]*30 extra free days[^]*https:\/\/app\.example\/signup\?ref=abc$/,
  )
  assert.doesNotMatch(
    invitationText(writeInvitation('Dana', null, { ...OFFER, bonusDays: 0 }), link),
    /(more|extra) days/,
  )
})

test('an invitation from a server without payments mentions no trial and no card', () => {
  const text = writeInvitation('Dana', 'Kim', undefined).paragraphs.join(' ')
  assert.doesNotMatch(text, /trial|days|card/)
  assert.match(text, /free to use/)
})

test('a code is twelve characters, without lookalikes', () => {
  const code = newReferralCode()
  assert.match(code, /^[0-9a-hjkmnp-tv-z]{12}$/)
  assert.notEqual(code, newReferralCode())
})
