import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { useAllowPapers, usePermissions } from './client.web.ts'
import { PermissionCheck } from './PermissionsCard.tsx'
import { NO_PROVIDER } from './provider.ts'
import { ProviderDialog } from './ProviderDialog.tsx'

/** On an emailed page, a tutor without an account allows the family to make receipts, and types what they say. */
export function EmailedPapersCard() {
  const { data } = usePermissions()
  const allow = useAllowPapers()
  const [isTyping, setIsTyping] = useState(false)
  const [permission] = data?.permissions ?? []
  if (!data || !permission) return null
  const { details } = data
  const { connection_id: id, is_allowed: isAllowed, other_name: name } = permission
  return (
    <section className="mt-10" aria-labelledby="emailed-papers">
      <h2 id="emailed-papers">Receipts</h2>
      <div className="card mt-3 grid gap-2 px-5 py-4">
        <PermissionCheck permission={permission} onAsk={details ? undefined : () => setIsTyping(true)} />
        <p className="text-small text-ink-2">
          For a program or a tax office. They show your legal name, your address and a number of their own.
          You get an email about each, and you can stop allowing it at any time.
        </p>
        {details && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-32 flex-1 wrap-anywhere">
              {details.legal_name}
              <span className="block text-small whitespace-pre-line text-ink-2">{details.address}</span>
            </p>
            <Button tone="secondary" size="small" onClick={() => setIsTyping(true)}>
              Edit your details
            </Button>
          </div>
        )}
      </div>
      {isTyping && (
        <ProviderDialog
          provider={details ?? NO_PROVIDER}
          onSave={(typed) =>
            allow.mutateAsync({ id, is_allowed: details ? isAllowed : true, details: typed })
          }
          {...(!details && { label: 'Allow', success: `${name} may make receipts in your name` })}
          onClose={() => setIsTyping(false)}
        />
      )}
    </section>
  )
}
