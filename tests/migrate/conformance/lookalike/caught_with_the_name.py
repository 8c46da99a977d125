def attend(run):
    try:
        run()
    except RuntimeError as paged_attention_v1:
        print(paged_attention_v1)
