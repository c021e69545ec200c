//! Runs each statement of the files on a database of SQLite, as a chat server does.

use rusqlite::{params_from_iter, types::Value, Connection};
use std::{env, error::Error, fs, io};

extern "C" {
    /// Microseconds of the processor that this process has used.
    fn clock() -> std::ffi::c_long;
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let connection = Connection::open(args.next().ok_or("no database")?)?;
    let mut microseconds = 0;
    for file in args {
        let text = fs::read_to_string(file)?;
        let began = unsafe { clock() };
        for line in text.lines() {
            let mut fields = line.split('\t');
            let sql = fields.next().unwrap_or_default();
            if let Err(error) = connection.execute(sql, params_from_iter(fields.map(value))) {
                println!("error {error}");
            }
        }
        microseconds += unsafe { clock() } - began;
        println!("ready");
        io::stdin().read_line(&mut String::new())?;
    }
    println!("version {}", rusqlite::version());
    println!("milliseconds {}", microseconds as f64 / 1000.0);
    Ok(())
}

fn value(text: &str) -> Value {
    match text.split_at(1) {
        ("i", number) => Value::Integer(number.parse().expect("an integer")),
        ("t", text) => Value::Text(text.into()),
        _ => Value::Null,
    }
}
