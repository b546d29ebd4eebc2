/** The first page. */
export const LANDING = {
  'Upload. Share. Earn.': 'Hochladen. Teilen. Verdienen.',
  'Share your knowledge, documents and resources — and get paid through secure links.':
    'Teilen Sie Ihr Wissen, Ihre Dokumente und Materialien – und werden Sie über sichere Links bezahlt.',
  'Start earning': 'Jetzt verdienen',
  'Pay once. Keep it.': 'Einmal zahlen. Behalten.',
  'Knowledge, documents and resources, through secure links.':
    'Wissen, Dokumente und Materialien über sichere Links.',
  'Your account was deleted.': 'Ihr Konto wurde gelöscht.',
  'Earn With What You Know': 'Verdienen mit dem, was Sie wissen',
  'Students Sell Study Packs': 'Studierende verkaufen Lernpakete',
  'Turn the notes, summaries and flashcards you already have into study packs that others pay for.':
    'Machen Sie aus Mitschriften, Zusammenfassungen und Lernkarten, die Sie schon haben, Lernpakete, für die andere bezahlen.',
  'Writers Share Premium Insights': 'Autoren teilen ihr Fachwissen',
  'For writers and freelancers: offer essays, reports and premium PDFs to your readers, one link at a time.':
    'Für Autoren und Freiberufler: Bieten Sie Ihren Lesern Essays, Berichte und hochwertige PDFs an, Link für Link.',
  'Producers Sell Project Files': 'Produzenten verkaufen Projektdateien',
  'Sell the project files behind your music and videos: sessions, presets, templates.':
    'Verkaufen Sie die Projektdateien hinter Ihrer Musik und Ihren Videos: Sessions, Presets, Vorlagen.',
  'Coaches Share Toolkits': 'Coaches teilen ihr Handwerkszeug',
  'For coaches and educators: package worksheets, plans and checklists, and get paid every time they help someone.':
    'Für Coaches und Lehrende: Bündeln Sie Arbeitsblätter, Pläne und Checklisten und verdienen Sie jedes Mal, wenn diese jemandem helfen.',
  '{site} in numbers': '{site} in Zahlen',
  'Users Signed Up': 'Registrierte Nutzer',
  'Links Monetized': 'Verkaufte Links',
  'Payouts Made': 'Auszahlungen',
  'How It Works': 'So funktioniert es',
  Share: 'Teilen',
  Earn: 'Verdienen',
  'Choose a file or a web address to sell, and set your price.':
    'Wählen Sie eine Datei oder Webadresse, die Sie verkaufen möchten, und legen Sie Ihren Preis fest.',
  'Put your paywall link wherever your audience is.':
    'Teilen Sie Ihren Link überall dort, wo Ihr Publikum ist.',
  'Buyers pay by card and get it at once. You see each sale on your dashboard.':
    'Käufer bezahlen mit Karte und erhalten den Inhalt sofort. Sie sehen jeden Verkauf in Ihrer Übersicht.',
  'What It Costs': 'Was es kostet',
  'Nothing until you sell. The fee is {fee} per sale, card processing included.':
    'Nichts, solange Sie nichts verkaufen. Die Gebühr beträgt {fee} pro Verkauf, Kartenzahlung inbegriffen.',
  'When the Money Comes': 'Wann das Geld kommt',
  'What you receive is added to your balance with each sale.':
    'Ihr Anteil wird bei jedem Verkauf Ihrem Guthaben gutgeschrieben.',
  'It is available as soon as the card payment provider releases it.':
    'Er ist verfügbar, sobald der Zahlungsdienstleister ihn freigibt.',
  'It stays pending for 1 day, because payments can be reversed, and is available after that.':
    'Er bleibt 1 Tag vorgemerkt, weil Zahlungen zurückgebucht werden können, und ist danach verfügbar.',
  'It stays pending for {count} days, because payments can be reversed, and is available after that.':
    'Er bleibt {count} Tage vorgemerkt, weil Zahlungen zurückgebucht werden können, und ist danach verfügbar.',
  'Ask the operator of this site for a payout.':
    'Wenden Sie sich für eine Auszahlung an den Betreiber dieser Website.',
  'It costs you nothing.': 'Das kostet Sie nichts.',
  'It costs {price}.': 'Das kostet {price}.',
  'You can request a payout of {price} or more on your dashboard.':
    'In Ihrer Übersicht können Sie eine Auszahlung ab {price} anfordern.',
  'What you keep': 'Was Ihnen bleibt',
  Fee: 'Gebühr',
  'You receive': 'Sie erhalten',
  'You receive {price}': 'Sie erhalten {price}',
  'Exam notes': 'Klausurnotizen',
} as const;
