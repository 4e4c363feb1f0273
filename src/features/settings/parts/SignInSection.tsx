import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'

const PasswordDialog = late(async () => (await import('./PasswordDialog.tsx')).PasswordDialog)
const EmailDialog = late(async () => (await import('./EmailDialog.tsx')).EmailDialog)

export function SignInSection() {
  const me = useMe()
  const [open, setOpen] = useState<'email' | 'password'>()
  const close = () => setOpen(undefined)
  return (
    <section className="card list" aria-label="Sign-in">
      <SettingRow title="Email address" line={me.email}>
        <Button tone="secondary" size="small" aria-label="Change email" onClick={() => setOpen('email')}>
          Change
        </Button>
      </SettingRow>
      <SettingRow
        title="Password"
        line={me.has_password ? 'Changing it signs out every other device' : "You don't have a password yet"}
      >
        <Button
          tone="secondary"
          size="small"
          aria-label={me.has_password ? 'Change password' : 'Set a password'}
          onClick={() => setOpen('password')}
        >
          {me.has_password ? 'Change' : 'Set'}
        </Button>
      </SettingRow>
      {open === 'email' && <EmailDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
    </section>
  )
}
