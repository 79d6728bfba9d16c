# Looks into the file of TodayApp, which has it open, when one errand is done.
until [ "$(sqlite3 -readonly today.sqlite 'SELECT count(*) FROM errands WHERE isDone' 2>&1)" = 1 ]; do
  sleep 0.1
done
sqlite3 -readonly today.sqlite 'SELECT title, isDone FROM errands'
