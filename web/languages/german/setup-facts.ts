/** What the server finds of how the site is set up. */
export const SETUP_FACTS = {
  '{list} {next}': '{list} {next}',
  '{url} leads to this installation.': '{url} führt zu dieser Installation.',
  '{url} leads to something else than this installation.':
    '{url} führt zu etwas anderem als dieser Installation.',
  'Correct PUBLIC_URL, the DNS record or the proxy; or restart Padlink, if its settings have changed.':
    'Berichtigen Sie PUBLIC_URL, den DNS-Eintrag oder den Proxy; oder starten Sie Padlink neu, falls sich seine Einstellungen geändert haben.',
  'Nothing answers at {url}: {reason}.': 'Unter {url} antwortet nichts: {reason}.',
  'Start Padlink; if it runs, correct PUBLIC_URL, the DNS record, the proxy or the firewall.':
    'Starten Sie Padlink; falls es läuft, berichtigen Sie PUBLIC_URL, den DNS-Eintrag, den Proxy oder die Firewall.',
  'Only this machine reaches {url}.': '{url} ist nur von diesem Rechner aus erreichbar.',
  'Set PUBLIC_URL to the https:// address that buyers will open, then restart Padlink: docs/operating.md.':
    'Setzen Sie PUBLIC_URL auf die https://-Adresse, die Käufer öffnen werden, und starten Sie Padlink neu: docs/operating.md.',
  'Correct PUBLIC_URL.': 'Berichtigen Sie PUBLIC_URL.',
  'Renew it where TLS ends, at the proxy, and have that done automatically.':
    'Erneuern Sie es dort, wo TLS endet, am Proxy, und lassen Sie das automatisch geschehen.',
  'The certificate of {host} could not be read: {reason}.':
    'Das Zertifikat von {host} konnte nicht gelesen werden: {reason}.',
  'The certificate of {host} ran out {days} days ago.':
    'Das Zertifikat von {host} ist seit {days} Tagen abgelaufen.',
  'The certificate of {host} is not trusted: {reason}.':
    'Dem Zertifikat von {host} wird nicht vertraut: {reason}.',
  'The certificate of {host} is valid for {days} more days.':
    'Das Zertifikat von {host} gilt noch {days} Tage.',
  'Buyers reach this site without TLS.': 'Käufer erreichen diese Website ohne TLS.',
  'Put a proxy with a certificate before Padlink, and set PUBLIC_URL to its https:// address: docs/operating.md.':
    'Stellen Sie Padlink einen Proxy mit Zertifikat voran und setzen Sie PUBLIC_URL auf dessen https://-Adresse: docs/operating.md.',
  'A signed event was taken at /webhooks/stripe.':
    'Ein signiertes Ereignis wurde unter /webhooks/stripe angenommen.',
  'A signed event was refused at /webhooks/stripe: {answer}':
    'Ein signiertes Ereignis wurde unter /webhooks/stripe abgelehnt: {answer}',
  'Give the running Padlink the same STRIPE_WEBHOOK_SECRET, and see that the proxy passes the body and the header Stripe-Signature on unchanged.':
    'Geben Sie dem laufenden Padlink dasselbe STRIPE_WEBHOOK_SECRET und sorgen Sie dafür, dass der Proxy den Inhalt und den Header Stripe-Signature unverändert weitergibt.',
  'See that this machine reaches the services of its settings.':
    'Sorgen Sie dafür, dass dieser Rechner die Dienste seiner Einstellungen erreicht.',
  'See that the database is not read-only and its disk not full.':
    'Sorgen Sie dafür, dass die Datenbank beschreibbar und ihre Festplatte nicht voll ist.',
  'Payments go through the built-in sandbox: no real money moves.':
    'Zahlungen laufen über die eingebaute Testumgebung: Es fließt kein echtes Geld.',
  'Payments go through the built-in sandbox, where only test cards can pay.':
    'Zahlungen laufen über die eingebaute Testumgebung, in der nur mit Testkarten bezahlt werden kann.',
  'Set STRIPE_SECRET_KEY, run “stripe setup”, then restart Padlink.':
    'Setzen Sie STRIPE_SECRET_KEY, führen Sie „stripe setup“ aus und starten Sie Padlink neu.',
  '{found} The key is of test mode, where only test cards can pay.':
    '{found} Der Schlüssel gehört zum Testmodus, in dem nur mit Testkarten bezahlt werden kann.',
  'Set the live STRIPE_SECRET_KEY, run “stripe setup”, then restart Padlink.':
    'Setzen Sie den echten STRIPE_SECRET_KEY, führen Sie „stripe setup“ aus und starten Sie Padlink neu.',
  'The provider’s key and webhook endpoints are in order.':
    'Der Schlüssel und die Webhook-Endpunkte beim Zahlungsdienstleister sind in Ordnung.',
  'Correct it in the provider’s dashboard: docs/operating.md.':
    'Berichtigen Sie es im Dashboard des Zahlungsdienstleisters: docs/operating.md.',
  'The payment provider could not be asked: {reason}.':
    'Der Zahlungsdienstleister konnte nicht gefragt werden: {reason}.',
  'Correct STRIPE_SECRET_KEY, and see that this machine reaches api.stripe.com.':
    'Berichtigen Sie STRIPE_SECRET_KEY und sorgen Sie dafür, dass dieser Rechner api.stripe.com erreicht.',
  'STRIPE_SECRET_KEY lacks the permission {permission}. Grant it at {keys}.':
    'STRIPE_SECRET_KEY fehlt die Berechtigung {permission}. Erteilen Sie sie unter {keys}.',
  'STRIPE_SECRET_KEY lacks the permission {permission}, which only this check needs. Grant it at {keys}, or compare the events at {endpoints} yourself.':
    'STRIPE_SECRET_KEY fehlt die Berechtigung {permission}, die nur diese Prüfung braucht. Erteilen Sie sie unter {keys} oder vergleichen Sie die Ereignisse unter {endpoints} selbst.',
  'events of your account': 'Ereignisse Ihres Kontos',
  'events of connected accounts': 'Ereignisse verbundener Konten',
  'thin events': 'schlanke Ereignisse',
  'The webhook endpoint for {name} at {url} does not exist. “stripe setup” creates it.':
    'Der Webhook-Endpunkt für {name} unter {url} fehlt. „stripe setup“ erstellt ihn.',
  'The webhook endpoint for {name} at {url} is disabled. “stripe setup” enables it.':
    'Der Webhook-Endpunkt für {name} unter {url} ist ausgeschaltet. „stripe setup“ schaltet ihn ein.',
  'The webhook endpoint for {name} at {url} does not send {events}. “stripe setup” adds them.':
    'Der Webhook-Endpunkt für {name} unter {url} sendet {events} nicht. „stripe setup“ fügt sie hinzu.',
  'Emails stay on this machine, at /mailbox.':
    'E-Mails bleiben auf diesem Rechner, unter /mailbox.',
  'Set SMTP_URL and MAIL_FROM, then restart Padlink.':
    'Setzen Sie SMTP_URL und MAIL_FROM und starten Sie Padlink neu.',
  'The mail server {host} accepts connections.': 'Der Mailserver {host} nimmt Verbindungen an.',
  'The mail server {host} does not take email: {reason}.':
    'Der Mailserver {host} nimmt keine E-Mails an: {reason}.',
  'Correct SMTP_URL and MAIL_FROM, and see that the firewall lets this machine reach the server.':
    'Berichtigen Sie SMTP_URL und MAIL_FROM und sorgen Sie dafür, dass die Firewall diesen Rechner den Server erreichen lässt.',
  '{found} Nobody has confirmed yet that its emails arrive.':
    '{found} Noch hat niemand bestätigt, dass seine E-Mails ankommen.',
  'Have a code sent to you, and enter it here.':
    'Lassen Sie sich einen Code senden und geben Sie ihn hier ein.',
  '{found} An email arrived on {time}.': '{found} Eine E-Mail kam an: {time}.',
  'The mail server did not take the email: {reason}':
    'Der Mailserver hat die E-Mail nicht angenommen: {reason}',
  'This code is wrong or has expired. Check it, or have a new one sent.':
    'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder lassen Sie sich einen neuen senden.',
  'The clock of this machine is {seconds} s ahead of that of {host}.':
    'Die Uhr dieses Rechners geht gegenüber der von {host} um {seconds} s vor.',
  'The clock of this machine is {seconds} s behind that of {host}.':
    'Die Uhr dieses Rechners geht gegenüber der von {host} um {seconds} s nach.',
  'The clock agrees with that of {host}.': 'Die Uhr stimmt mit der von {host} überein.',
  'Set the clock, and keep it right with NTP: timedatectl set-ntp true':
    'Stellen Sie die Uhr und halten Sie sie mit NTP richtig: timedatectl set-ntp true',
  'No backup of this site is known.': 'Von dieser Website ist kein Backup bekannt.',
  'The last backup was made on {time}.': 'Das letzte Backup wurde erstellt: {time}.',
  'Have one made every day: npm run cli -- backup PATH (docs/backup.md).':
    'Lassen Sie jeden Tag eines erstellen: npm run cli -- backup PATH (docs/backup.md).',
  'Only you sell here.': 'Hier verkaufen nur Sie.',
  'Others sell here as well, and you pay them by hand.':
    'Hier verkaufen auch andere, und Sie zahlen sie von Hand aus.',
  'Others sell here as well, and Stripe pays them automatically.':
    'Hier verkaufen auch andere, und Stripe zahlt sie automatisch aus.',
  'Nobody has chosen yet who sells here. Until then: {says}':
    'Noch hat niemand gewählt, wer hier verkauft. Bis dahin: {says}',
  'Add the line of your choice to the settings, then restart Padlink.':
    'Fügen Sie die Zeile Ihrer Wahl den Einstellungen hinzu und starten Sie Padlink neu.',
} as const;
