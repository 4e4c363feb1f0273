import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { forgetMails, readMailbox, smtpMailer } from './mailer.server.ts'

test('I7: a mail goes to its one recipient, and an answer to whoever it names', async () => {
  const taken: { to: string[]; text: string }[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    // The mailer keeps its connection open, and closing the server shouldn't have to wait for it.
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve)
  })
  try {
    const send = smtpMailer(
      `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      'Tutorlog <no-reply@example.com>',
    )
    await send('one', {
      to: 'help@example.com',
      subject: 'Contact Form: Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
      replyTo: 'dana@example.com',
    })
    await send('two', { to: 'help@example.com', subject: 'No answer', text: 'Hello', html: '<p>Hello</p>' })
    assert.deepEqual(
      taken.map(({ to }) => to),
      [['help@example.com'], ['help@example.com']],
    )
    assert.match(taken[0]?.text ?? '', /^Reply-To: dana@example\.com\r$/m)
    assert.match(taken[0]?.text ?? '', /^From: Tutorlog <no-reply@example\.com>\r$/m)
    assert.doesNotMatch(taken[1]?.text ?? '', /^Reply-To:/m)
  } finally {
    await new Promise<void>((resolve) => {
      smtp.close(resolve)
    })
  }
})

test('an email that another job deletes while the mailbox is read is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
  try {
    const mail = { id: '1', to: 'ann@example.com', sent_at: '' }
    await writeFile(join(folder, '1.json'), JSON.stringify(mail))
    // Like a file deleted after its name was read.
    await symlink('deleted', join(folder, '2.json'))
    assert.deepEqual(await readMailbox(folder), [mail])
    await forgetMails(folder, () => true)
    assert.deepEqual(await readMailbox(folder), [])
  } finally {
    await rm(folder, { recursive: true })
  }
})
